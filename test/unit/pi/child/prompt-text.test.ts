import assert from "node:assert/strict";
import { partsToPrompt } from "../../../../src/pi/child/prompt-text.ts";

const NONE = new Map();

describe("partsToPrompt", () => {
  it("joins text parts by line breaks and leaves them as they are", () => {
    assert.equal(partsToPrompt([{ text: " a " }, { text: "" }, { text: "/b" }], NONE), " a \n\n/b");
  });

  it("prints data as JSON, also null", () => {
    assert.equal(partsToPrompt([{ data: { a: [1] } }, { data: null }], NONE), '{"a":[1]}\nnull');
  });

  it("names a file by its name, type and address", () => {
    assert.equal(
      partsToPrompt([{ url: "https://x.test/a", filename: 'a"b.png', mediaType: "image/png" }, { url: "x:y" }], NONE),
      '[file "a\\"b.png" (image/png) at https://x.test/a]\n[file at x:y]',
    );
  });

  it("names a stored file by its name, type and size, and says where it is (W13)", () => {
    const part = { raw: "YWI=", filename: "../a.pdf", mediaType: "application/pdf" };
    const stored = new Map([[part, ".a2a-inbox/task-1/a.pdf"]]);
    assert.equal(
      partsToPrompt([part], stored),
      '[file "../a.pdf" (application/pdf), 2 bytes, stored as .a2a-inbox/task-1/a.pdf]',
    );
  });

  it("counts the bytes behind base64", () => {
    const lines = ["", "YQ==", "YWI=", "YWJj"].map((raw) => partsToPrompt([{ raw }], NONE));
    assert.deepEqual(
      lines,
      [0, 1, 2, 3].map((bytes) => `[file, ${bytes} bytes]`),
    );
  });
});
