import assert from "node:assert/strict";
import { signBody } from "../../../../src/core/security/sign.ts";

describe("signing bodies", () => {
  it("gives HMAC-SHA256 in hex (RFC 4231, case 2)", () => {
    assert.equal(
      signBody("Jefe", "what do ya want for nothing?"),
      "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
  });

  it("signs the bytes of the text in UTF-8", () => {
    assert.notEqual(signBody("k", "ü"), signBody("k", "u"));
    assert.equal(signBody("k", "\u{1F44B}"), signBody("k", Buffer.from("f09f918b", "hex").toString("utf8")));
  });
});
