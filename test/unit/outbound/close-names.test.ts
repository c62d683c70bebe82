import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { closeNames } from "../../../src/outbound/close-names.ts";

describe("suggestions for a mistyped name", () => {
  const known = ["researcher", "research-lab", "hermes", "Hermes2", "x"];

  const CASES: readonly [typed: string, expected: readonly string[]][] = [
    ["reseracher", ["researcher"]],
    ["HERMES", ["hermes", "Hermes2"]],
    ["research", ["researcher", "research-lab"]],
    ["y", ["x"]],
    ["nothing-like-it", []],
    ["", []],
  ];
  for (const [typed, expected] of CASES) {
    it(`${JSON.stringify(typed)} leads to ${expected.join(", ") || "nothing"}`, () => {
      assert.deepEqual(closeNames(typed, known), expected);
    });
  }

  it("looks at no more than the beginning of a very long name", () => {
    assert.deepEqual(closeNames("z".repeat(1_000_000), ["z".repeat(1_000_000)]).length, 1);
  });
});
