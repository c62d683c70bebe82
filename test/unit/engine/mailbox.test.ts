import assert from "node:assert/strict";
import type { SteeringMessage } from "../../../src/core/ports.ts";
import { createMailbox } from "../../../src/engine/mailbox.ts";
import { userMessage } from "../../support/builders.ts";

const FIRST = userMessage({ messageId: "first" });
const SECOND = userMessage({ messageId: "second" });

describe("mailbox", () => {
  it("hands out what came before anybody listened, then what comes, in order and each once", () => {
    const mailbox = createMailbox();
    mailbox.expect()(FIRST);
    const heard: SteeringMessage[] = [];
    mailbox.steering.listen((letter) => heard.push(letter));
    assert.deepEqual(
      heard.map(({ message }) => message),
      [FIRST],
    );
    mailbox.expect()(SECOND);
    assert.deepEqual(
      heard.map(({ message }) => message),
      [FIRST, SECOND],
    );
  });

  it("counts what was not taken, and taking a message twice counts once", () => {
    const mailbox = createMailbox();
    const heard: SteeringMessage[] = [];
    mailbox.steering.listen((letter) => heard.push(letter));
    mailbox.expect()(FIRST);
    mailbox.expect()(SECOND);
    assert.equal(mailbox.waiting(), 2);
    heard[0]?.taken();
    heard[0]?.taken();
    assert.equal(mailbox.waiting(), 1);
  });

  it("does not close while a message is on its way to the sink, or was heard and not taken", () => {
    const mailbox = createMailbox();
    const heard: SteeringMessage[] = [];
    mailbox.steering.listen((letter) => heard.push(letter));
    const handOut = mailbox.expect();
    assert.equal(mailbox.steering.close(), false);
    handOut(FIRST);
    assert.equal(mailbox.steering.close(), false);
    assert.equal(mailbox.isOpen(), true);
    heard[0]?.taken();
    assert.equal(mailbox.steering.close(), true);
    assert.equal(mailbox.isOpen(), false);
  });

  it("stays closed", () => {
    const mailbox = createMailbox();
    assert.equal(mailbox.steering.close(), true);
    assert.equal(mailbox.steering.close(), true);
    assert.equal(mailbox.isOpen(), false);
  });
});
