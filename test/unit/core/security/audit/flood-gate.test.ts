import assert from "node:assert/strict";
import { createFloodGate } from "../../../../../src/core/security/audit/flood-gate.ts";

describe("flood gate", () => {
  const gateOf = (maxSources?: number) => {
    const gate = createFloodGate<string>(maxSources);
    const admit = (source: string, line: string, at = 0) => gate.admit({ source, most: 2, line, at });
    return { ...gate, admit };
  };

  it("lets the first of each source through and counts the others", () => {
    const gate = gateOf();
    assert.deepEqual(
      ["a1", "a2", "a3", "a4"].map((line, at) => gate.admit("a", line, at)),
      [true, true, false, false],
    );
    assert.equal(gate.admit("b", "b1", 9), true);
    assert.deepEqual(gate.take(), [{ like: "a2", count: 2, since: 0 }]);
  });

  it("begins anew once the counts were taken", () => {
    const gate = gateOf();
    for (let line = 0; line < 5; line++) gate.admit("a", String(line));
    gate.take();
    assert.equal(gate.admit("a", "again"), true);
    assert.deepEqual(gate.take(), []);
  });

  it("counts sources beyond its room as one, however many they are (X03)", () => {
    const gate = gateOf(3);
    const written = Array.from({ length: 1000 }, (_, n) => gate.admit(`address ${n}`, `line ${n}`));
    assert.equal(written.filter(Boolean).length, 5);
    assert.deepEqual(gate.take(), [{ like: "line 4", count: 995, since: 0 }]);
  });
});
