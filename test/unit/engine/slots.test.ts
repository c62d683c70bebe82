import assert from "node:assert/strict";
import { createSlots } from "../../../src/engine/slots.ts";

describe("slots", () => {
  it("gives as many as there are and no more", () => {
    const slots = createSlots<string>(() => 2);
    assert.deepEqual([slots.take("a"), slots.take("b"), slots.take("c")], [true, true, false]);
    assert.deepEqual(slots.holders(), ["a", "b"]);
  });

  it("frees a slot once, however often it is given back", () => {
    const slots = createSlots<string>(() => 1);
    slots.take("a");
    slots.free("a");
    slots.free("a");
    assert.deepEqual([slots.take("b"), slots.take("c")], [true, false]);
  });

  it("hands a slot on without a gap, and only from one who holds it", () => {
    const slots = createSlots<string>(() => 1);
    slots.take("a");
    slots.pass("a", "b");
    slots.pass("a", "c");
    assert.deepEqual(slots.holders(), ["b"]);
  });

  it("follows a size that changes", () => {
    let size = 1;
    const slots = createSlots<string>(() => size);
    slots.take("a");
    size = 2;
    assert.equal(slots.take("b"), true);
    size = 1;
    slots.free("a");
    assert.equal(slots.take("c"), false);
  });
});
