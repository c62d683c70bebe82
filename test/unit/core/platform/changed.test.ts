import assert from "node:assert/strict";
import { changed } from "../../../../src/core/platform/changed.ts";

describe("changed", () => {
  it("gives a copy in which later members replace earlier ones, and leaves what it was given", () => {
    const whole = { id: "one", state: "working", parts: [1] };
    const copy = changed(whole, { state: "done", at: 5 });
    assert.deepEqual(copy, { id: "one", state: "done", parts: [1], at: 5 });
    assert.deepEqual(whole, { id: "one", state: "working", parts: [1] });
    assert.equal(copy.parts, whole.parts);
  });
});
