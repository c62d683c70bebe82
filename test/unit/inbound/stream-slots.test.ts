import assert from "node:assert/strict";
import { createStreamSlots } from "../../../src/inbound/stream-slots.ts";

describe("createStreamSlots", () => {
  it("bounds each caller on its own, and says so", () => {
    const slots = createStreamSlots(2);
    slots.take("a");
    slots.take("a");
    assert.throws(() => slots.take("a"), { code: "RATE_LIMITED", message: /2 streams/, retryAfterSec: 5 });
    assert.doesNotThrow(() => slots.take("b"));
  });

  it("gives a slot back once, however often it is told", () => {
    const slots = createStreamSlots(2);
    const release = slots.take("a");
    slots.take("a");
    release();
    release();
    slots.take("a");
    assert.throws(() => slots.take("a"), { code: "RATE_LIMITED" });
  });
});
