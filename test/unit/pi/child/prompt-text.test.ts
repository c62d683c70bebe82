import assert from "node:assert/strict";
import { partsToPrompt } from "../../../../src/pi/child/prompt-text.ts";

describe("partsToPrompt", () => {
  it("joins text parts by line breaks and leaves them as they are", () => {
    assert.equal(partsToPrompt([{ text: " a " }, { text: "" }, { text: "/b" }]), " a \n\n/b");
  });

  it("prints data as JSON, also null", () => {
    assert.equal(partsToPrompt([{ data: { a: [1] } }, { data: null }]), '{"a":[1]}\nnull');
  });

  it("names a file by its name, type and address", () => {
    assert.equal(
      partsToPrompt([{ url: "https://x.test/a", filename: 'a"b.png', mediaType: "image/png" }, { url: "x:y" }]),
      '[file "a\\"b.png" (image/png) at https://x.test/a]\n[file at x:y]',
    );
  });

  it("says that raw bytes were left out, and how many", () => {
    const sizes = ["", "YQ==", "YWI=", "YWJj"].map((raw) => partsToPrompt([{ raw, filename: "x" }]));
    assert.deepEqual(
      sizes,
      [0, 1, 2, 3].map((bytes) => `[file "x", ${bytes} bytes, not passed on]`),
    );
  });
});
