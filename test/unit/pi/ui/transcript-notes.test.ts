import assert from "node:assert/strict";
import { createNotes } from "../../../../src/pi/ui/transcript-notes.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { createFakePi } from "../../../support/fake-pi.ts";

const NOTE = { lines: ["[A2A inbound] hello", "second"], tone: "dim" as const };

describe("transcript notes on 0.73.1", () => {
  it("carry nothing in their content and are filtered out of the context (U12)", async () => {
    const pi = createFakePi();
    const notes = createNotes(pi.api, createFakeClock(), () => true);
    notes.add(NOTE);
    const [sent] = pi.sent as { customType: string; content: string; display: boolean }[];
    assert.equal(sent?.content, "");
    assert.equal(sent?.display, true);
    const user = { role: "user", content: "hi" };
    const [result] = await pi.emit("context", { messages: [user, { role: "custom", ...sent }] });
    assert.deepEqual(result, { messages: [user] });
  });

  it("wait while the host works, because a message sent then would cost a model call and split a tool call from its result (U11)", () => {
    const pi = createFakePi();
    const clock = createFakeClock();
    let idle = false;
    const notes = createNotes(pi.api, clock, () => idle);
    notes.add(NOTE);
    clock.tick(10_000);
    assert.equal(pi.sent.length, 0);
    idle = true;
    clock.tick(200);
    assert.equal(pi.sent.length, 1);
    assert.equal(clock.pending(), 0);
  });

  it("are in the context, as their text, when the person wants the model to read them", async () => {
    const pi = createFakePi();
    const notes = createNotes(pi.api, createFakeClock(), () => true);
    notes.add({ ...NOTE, inContext: true });
    const [sent] = pi.sent as { content: string }[];
    assert.equal(sent?.content, "[A2A inbound] hello\nsecond");
    const message = { role: "custom", ...sent };
    assert.deepEqual(await pi.emit("context", { messages: [message] }), [{ messages: [message] }]);
    assert.equal(pi.draw("a2a-activity", { details: NOTE }, { expanded: true }).render(80).length, 2);
  });

  it("drop what waits when closed, and leave no timer", () => {
    const clock = createFakeClock();
    const pi = createFakePi();
    const notes = createNotes(pi.api, clock, () => false);
    notes.add(NOTE);
    notes.close();
    assert.equal(clock.pending(), 0);
    assert.equal(pi.sent.length, 0);
  });

  it("draw one line collapsed and all lines expanded", () => {
    const pi = createFakePi();
    createNotes(pi.api, createFakeClock(), () => true).add(NOTE);
    const lines = (expanded: boolean): string[] => pi.draw("a2a-note", { details: NOTE }, { expanded }).render(80);
    assert.deepEqual(lines(false), ["[A2A inbound] hello"]);
    assert.equal(lines(true).length, 2);
  });

  it("draw nothing, and do not throw, for details they do not know", () => {
    const pi = createFakePi();
    createNotes(pi.api, createFakeClock(), () => true);
    const drawn = pi.draw("a2a-note", { details: 7 }, { expanded: true });
    assert.deepEqual(drawn.render(10), []);
  });
});

describe("transcript notes on the current host line", () => {
  it("are entries outside the context, shown at once also while the host works", () => {
    const pi = createFakePi({ entryRenderers: true });
    createNotes(pi.api, createFakeClock(), () => false).add(NOTE);
    assert.equal(pi.entries.length, 1);
    assert.equal(pi.sent.length, 0);
  });

  it("are messages in the context when the person wants that, and wait until the host is idle (U11)", () => {
    const pi = createFakePi({ entryRenderers: true });
    const clock = createFakeClock();
    let idle = false;
    const notes = createNotes(pi.api, clock, () => idle);
    notes.add({ ...NOTE, inContext: true });
    assert.equal(pi.sent.length + pi.entries.length, 0);
    idle = true;
    clock.tick(200);
    assert.deepEqual(
      (pi.sent as { content: string }[]).map(({ content }) => content),
      ["[A2A inbound] hello\nsecond"],
    );
    notes.add({ ...NOTE, inContext: true });
    idle = false;
    notes.close();
    assert.equal(clock.pending(), 0);
  });
});
