import assert from "node:assert/strict";
import { ServerResponse } from "node:http";
import { startEventWriter } from "../../../src/inbound/event-writer.ts";
import type { Exchange } from "../../../src/inbound/exchange.ts";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts";

describe("the event writer", () => {
  it("ends a response only when nothing is corked any more, because newer Node sends the end first", () => {
    const response = new ServerResponse({ method: "POST", httpVersionMajor: 1, httpVersionMinor: 1 } as never);
    const corked: number[] = [];
    const end = response.end.bind(response);
    response.end = ((text: string) => {
      corked.push(response.writableCorked);
      return end(text);
    }) as typeof response.end;
    const exchange = { response, ended: () => false, onEnd: () => undefined } as unknown as Exchange;
    const writer = startEventWriter(exchange, createFakeClock());
    void writer.write("data: last\n\n");
    writer.end();
    assert.deepEqual(corked, [0]);
  });

  const openWriter = (clock: FakeClock) => {
    const response = new ServerResponse({ method: "POST", httpVersionMajor: 1, httpVersionMinor: 1 } as never);
    let end = (): void => undefined;
    const onEnd = (listener: () => void): void => {
      end = listener;
    };
    const exchange = { response, ended: () => false, onEnd, request: { socket: {} } } as unknown as Exchange;
    return { response, writer: startEventWriter(exchange, clock), end: () => end() };
  };

  it("lets the events of a few turns leave together, and does not wait for more", () => {
    const clock = createFakeClock();
    const { response, writer, end } = openWriter(clock);
    void writer.write("data: one\n\n");
    void writer.write("data: two\n\n");
    assert.equal(response.writableCorked, 1);
    clock.flush();
    assert.equal(response.writableCorked, 0);
    end();
    assert.equal(clock.pending(), 0);
  });

  it("holds nothing back when the event loop is busy", () => {
    const clock = createFakeClock();
    const { response, writer, end } = openWriter({
      ...clock,
      defer(fire) {
        return clock.after(3, fire);
      },
    });
    void writer.write("data: one\n\n");
    clock.tick(3);
    assert.equal(response.writableCorked, 0);
    end();
    assert.equal(clock.pending(), 0);
  });

  it("leaves no turn behind when the connection goes", () => {
    const clock = createFakeClock();
    const { writer, end } = openWriter(clock);
    void writer.write("data: one\n\n");
    end();
    assert.equal(clock.pending(), 0);
  });
});
