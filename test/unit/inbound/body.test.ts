import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import {
  type ArrivingBodies,
  BODY_IDLE_MS,
  BODY_TOTAL_MS,
  createArrivingBodies,
  MAX_BODY_BYTES,
  readBody,
} from "../../../src/inbound/body.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function startReading(arriving: ArrivingBodies = createArrivingBodies()) {
  const clock = createFakeClock();
  const request = new IncomingMessage(new Socket());
  const body = readBody(request, clock, arriving);
  return { clock, request, body };
}

describe("readBody", () => {
  it("joins the pieces and leaves no timer", async () => {
    const { clock, request, body } = startReading();
    const bytes = Buffer.from("grün");
    for (const byte of bytes) request.push(Buffer.from([byte]));
    request.push(null);
    assert.equal(await body, "grün");
    assert.equal(clock.pending(), 0);
  });

  it("gives an empty text for no bytes", async () => {
    const { request, body } = startReading();
    request.push(null);
    assert.equal(await body, "");
  });

  it("refuses bytes that are not UTF-8", async () => {
    const { request, body } = startReading();
    request.push(Buffer.from([0xc3, 0x28]));
    request.push(null);
    await assert.rejects(body, { code: "PARSE_ERROR" });
  });

  it("stops reading at the first byte over the limit, and keeps nothing", async () => {
    const { clock, request, body } = startReading();
    request.push(Buffer.alloc(MAX_BODY_BYTES));
    await turn();
    request.push(Buffer.alloc(1));
    await assert.rejects(body, { code: "BODY_TOO_LARGE" });
    assert.equal(request.isPaused(), true);
    assert.equal(request.listenerCount("data"), 0);
    assert.equal(clock.pending(), 0);
  });

  it("ends after the longest pause between two pieces", async () => {
    const { clock, request, body } = startReading();
    clock.tick(BODY_IDLE_MS - 1);
    request.push("a");
    await turn();
    clock.tick(BODY_IDLE_MS - 1);
    assert.equal(clock.pending(), 1);
    clock.tick(1);
    await assert.rejects(body, { code: "BODY_TIMEOUT", message: /15 s/ });
    assert.equal(clock.pending(), 0);
  });

  it("ends a body that comes byte by byte after the longest time for a whole one (X12)", async () => {
    const { clock, request, body } = startReading();
    for (let elapsed = 0; elapsed < BODY_TOTAL_MS; elapsed += 1000) {
      request.push("a");
      await turn();
      assert.equal(clock.pending(), 1);
      clock.tick(1000);
    }
    await assert.rejects(body, { code: "BODY_TIMEOUT", message: /longer than 60 s/ });
    assert.equal(clock.pending(), 0);
  });

  it("ends with its connection", async () => {
    const { clock, request, body } = startReading();
    request.push("abc");
    await turn();
    request.destroy();
    await assert.rejects(body, { code: "INVALID_REQUEST", message: /after 3 bytes/ });
    assert.equal(clock.pending(), 0);
  });

  it("is busy while other bodies take all the room, and takes it once they are complete or gone", async () => {
    const arriving = createArrivingBodies(1_000_000);
    const large = Buffer.alloc(400_000, "x");
    const [whole, cut] = [startReading(arriving), startReading(arriving)];
    for (const { request } of [whole, cut]) request.push(large);
    await turn();
    const refused = startReading(arriving);
    refused.request.push(large);
    await assert.rejects(refused.body, { code: "BUSY", retryAfterSec: 5 });
    assert.equal(refused.clock.pending(), 0);
    whole.request.push(null);
    await whole.body;
    cut.request.socket.destroy();
    await assert.rejects(cut.body, { code: "INVALID_REQUEST" });
    const next = startReading(arriving);
    next.request.push(Buffer.alloc(1_000_000, "x"));
    next.request.push(null);
    assert.equal((await next.body).length, 1_000_000);
  });

  it("is read when it is small, however large the others are", async () => {
    const arriving = createArrivingBodies(1_000_000);
    const large = startReading(arriving);
    large.request.push(Buffer.alloc(1_000_000, "x"));
    await turn();
    const small = startReading(arriving);
    small.request.push("{}");
    small.request.push(null);
    assert.equal(await small.body, "{}");
    large.request.push(null);
    await large.body;
  });
});
