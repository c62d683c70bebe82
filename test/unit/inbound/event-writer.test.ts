import assert from "node:assert/strict";
import { ServerResponse } from "node:http";
import { startEventWriter } from "../../../src/inbound/event-writer.ts";
import type { Exchange } from "../../../src/inbound/exchange.ts";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts";

describe("the event writer", () => {
  const openWriter = (clock: FakeClock) => {
    const response = new ServerResponse({ method: "POST", httpVersionMajor: 1, httpVersionMinor: 1 } as never);
    let end = (): void => undefined;
    const onEnd = (listener: () => void): void => {
      end = listener;
    };
    const exchange = { response, ended: () => false, onEnd, request: { socket: {} } } as unknown as Exchange;
    const written: string[] = [];
    const writer = startEventWriter(exchange, clock);
    const write = response.write.bind(response);
    response.write = ((text: string) => {
      written.push(text);
      return write(text);
    }) as typeof response.write;
    return { response, written, writer, end: () => end() };
  };

  it("lets the events of a few turns leave together, and does not wait for more", () => {
    const clock = createFakeClock();
    const { written, writer, end } = openWriter(clock);
    void writer.write("data: one\n\n");
    void writer.write("data: two\n\n");
    assert.deepEqual(written, []);
    clock.flush();
    assert.deepEqual(written, ["data: one\n\ndata: two\n\n"]);
    end();
    assert.equal(clock.pending(), 0);
  });

  it("holds nothing back when the event loop is busy", () => {
    const clock = createFakeClock();
    const { written, writer, end } = openWriter({ ...clock, defer: (fire) => clock.after(3, fire) });
    void writer.write("data: one\n\n");
    clock.tick(3);
    assert.deepEqual(written, ["data: one\n\n"]);
    end();
    assert.equal(clock.pending(), 0);
  });

  it("lets many letters leave at once, and waits for a reader that does not take them", () => {
    const clock = createFakeClock();
    const { written, writer, end } = openWriter(clock);
    const many = "x".repeat(20_000);
    assert.ok(writer.write(many) instanceof Promise);
    assert.deepEqual(written, [many]);
    end();
    assert.equal(clock.pending(), 0);
  });

  it("sends what waits with the end of the response, in its order", () => {
    const clock = createFakeClock();
    const { response, written, writer, end } = openWriter(clock);
    response.end = ((text: string) => {
      written.push(`end ${text}`);
      return response;
    }) as typeof response.end;
    void writer.write("data: one\n\n");
    writer.end("data: last\n\n");
    assert.deepEqual(written, ["end data: one\n\ndata: last\n\n"]);
    end();
    assert.equal(clock.pending(), 0);
  });

  it("goes on, and stops to limit the reader, once the reader has taken what waited", async () => {
    const clock = createFakeClock();
    const { response, writer, end } = openWriter(clock);
    const full = writer.write("x".repeat(20_000));
    const limited = clock.pending();
    response.emit("drain");
    await full;
    assert.equal(clock.pending(), limited - 1);
    end();
  });

  it("leaves no turn behind when the connection goes", () => {
    const clock = createFakeClock();
    const { written, writer, end } = openWriter(clock);
    void writer.write("data: one\n\n");
    end();
    assert.equal(clock.pending(), 0);
    assert.deepEqual(written, []);
  });
});
