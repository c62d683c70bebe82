import assert from "node:assert/strict";
import fc from "fast-check";
import { base64Bytes, normaliseBase64 } from "../../../../src/core/protocol/base64.ts";

describe("base64", () => {
  it("of any bytes, in either alphabet, padded or not, becomes the standard form", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const standard = Buffer.from(bytes).toString("base64");
        const urlSafe = Buffer.from(bytes).toString("base64url");
        for (const text of [standard, urlSafe, standard.replace(/=+$/, "")]) {
          assert.equal(normaliseBase64(text), standard);
        }
        assert.equal(base64Bytes(standard), bytes.length);
      }),
    );
  });

  it("never lets other text through", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const base64 = normaliseBase64(text);
        if (base64 !== undefined) assert.match(base64, /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
      }),
    );
    for (const text of ["A", "AAAAA", "=", "AA=", "AAA==", "AAAA=", "AA=A", "A A=", "AA==\n"]) {
      assert.equal(normaliseBase64(text), undefined, text);
    }
  });
});
