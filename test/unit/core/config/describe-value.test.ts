import assert from "node:assert/strict";
import { describeFor, describeKey, describeValue } from "../../../../src/core/config/describe-value.ts";
import { ROWS } from "../../../../src/core/config/schema-rows.ts";

describe("showing a value that was not taken", () => {
  it("quotes text, names structures by their kind, shows the rest as it is", () => {
    const shown = ["a b", 5, true, null, undefined, [1], { a: 1 }].map(describeValue);
    assert.deepEqual(shown, ['"a b"', "5", "true", "null", "undefined", "a list", "an object"]);
  });

  it("cuts long text and spells out what cannot be seen", () => {
    assert.equal(describeValue("x".repeat(61)), `"${"x".repeat(60)}…"`);
    assert.equal(describeValue("a\n\u202e\u2028\u009b\ud83d"), '"a\\n\\u{202e}\\u{2028}\\u{9b}\\ud83d"');
  });

  it("never shows a secret, whatever its form, nor a login in a URL", () => {
    for (const value of ["hunter2", 5, ["hunter2"], { a: "hunter2" }]) {
      assert.equal(describeFor(ROWS["server.sharedToken"], value), "a hidden value");
      assert.equal(describeFor(ROWS["server.peerTokens"], value), "a hidden value");
    }
    assert.equal(describeFor(ROWS["peers.*.url"], "ftp://me:hunter2@host"), "a hidden value");
    assert.equal(describeFor(ROWS["peers.*.url"], "ftp://host"), '"ftp://host"');
  });

  it("writes a key as it is when that is safe", () => {
    assert.equal(describeKey("a.b-c_D9"), "a.b-c_D9");
    assert.equal(describeKey("a b"), '"a b"');
    assert.equal(describeKey("\u001b[2J"), '"\\u001b[2J"');
  });
});
