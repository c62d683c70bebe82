import assert from "node:assert/strict";
import { A2aError } from "../../../src/core/platform/errors.ts";
import type { Exchange } from "../../../src/inbound/exchange.ts";
import { createOutbox, jsonReply } from "../../../src/inbound/reply.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

interface Reader {
  readonly exchange: Exchange;
  /** Bodies that were handed to the connection, and errors by which the exchange was stopped. */
  readonly got: string[];
  gone: boolean;
}

describe("the outbox", () => {
  const toWire = (error: unknown): A2aError => new A2aError("INTERNAL", String(error));
  let order: string[];
  beforeEach(() => {
    order = [];
  });

  const openReader = (name: string, fault?: Error): Reader => {
    const response = {
      headersSent: false,
      writeHead() {
        if (fault !== undefined) throw fault;
        response.headersSent = true;
        return response;
      },
      end(body: string) {
        order.push(name);
        reader.got.push(body);
      },
    };
    const stop = (error: A2aError): void => void reader.got.push(error.message);
    const exchange = { response, ended: () => reader.gone, stop } as unknown as Exchange;
    const reader: Reader = { exchange, got: [], gone: false };
    return reader;
  };

  it("sends the replies of one turn together at its end, in their order, and tells of each", () => {
    const clock = createFakeClock();
    const outbox = createOutbox({ clock, toWire });
    const [first, second] = [openReader("first"), openReader("second")];
    outbox.send(first.exchange, jsonReply("1"), () => order.push("first is out"));
    outbox.send(second.exchange, jsonReply("2"));
    assert.deepEqual(order, []);
    assert.equal(clock.pending(), 1);
    clock.flush();
    assert.deepEqual(order, ["first", "first is out", "second"]);
    assert.deepEqual([first.got, second.got], [["1"], ["2"]]);
    outbox.send(second.exchange, jsonReply("again"));
    clock.flush();
    assert.deepEqual(second.got, ["2"], "a reply was sent already");
    assert.equal(clock.pending(), 0);
  });

  it("sends at once what waits when it is told to, and nothing of it again", () => {
    const clock = createFakeClock();
    const outbox = createOutbox({ clock, toWire });
    const reader = openReader("one");
    outbox.send(reader.exchange, jsonReply("1"));
    outbox.flush();
    assert.deepEqual(reader.got, ["1"]);
    clock.flush();
    assert.deepEqual(reader.got, ["1"]);
  });

  it("says nothing of a reply whose reader went away before, or that was answered otherwise", () => {
    const clock = createFakeClock();
    const outbox = createOutbox({ clock, toWire });
    const gone = openReader("gone");
    outbox.send(gone.exchange, jsonReply("1"), () => order.push("out"));
    gone.gone = true;
    clock.flush();
    assert.deepEqual([order, gone.got], [[], []]);
  });

  it("stops the exchange whose reply cannot be written, and sends the others", () => {
    const clock = createFakeClock();
    const outbox = createOutbox({ clock, toWire });
    const [broken, fine] = [openReader("broken", new Error("no head")), openReader("fine")];
    outbox.send(broken.exchange, jsonReply("1"));
    outbox.send(fine.exchange, jsonReply("2"));
    clock.flush();
    assert.deepEqual([broken.got, fine.got], [["Error: no head"], ["2"]]);
  });
});
