import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { PACKAGE_VERSION } from "../../../src/pi/package-version.ts";

describe("the version on the card", () => {
  it("is that of package.json", () => {
    const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
    assert.equal(PACKAGE_VERSION, (JSON.parse(text) as { version: string }).version);
  });
});
