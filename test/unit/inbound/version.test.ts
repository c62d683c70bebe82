import assert from "node:assert/strict";
import { readVersion } from "../../../src/inbound/version.ts";

describe("readVersion", () => {
  it("counts Major.Minor and ignores the patch (W06)", () => {
    assert.equal(readVersion("1.0"), "1.0");
    assert.equal(readVersion("1.0.3"), "1.0");
    assert.equal(readVersion("0.3"), "0.3");
    assert.equal(readVersion("0.3.1"), "0.3");
    assert.equal(readVersion(undefined), undefined);
  });

  it("refuses everything else (W05, W06)", () => {
    for (const value of [
      "99.0",
      "0.30",
      "1",
      "1.",
      ".0",
      "1.1",
      "10.0",
      "01.0",
      "1.0.x",
      "1.0 ",
      "latest",
      "1.0,0.3",
    ]) {
      assert.throws(() => readVersion(value), { code: "VERSION_NOT_SUPPORTED" }, value);
    }
  });
});
