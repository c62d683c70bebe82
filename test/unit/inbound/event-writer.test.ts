import assert from "node:assert/strict";
import { ServerResponse } from "node:http";
import { startEventWriter } from "../../../src/inbound/event-writer.ts";
import type { Exchange } from "../../../src/inbound/exchange.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

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
});
