import assert from "node:assert/strict";
import { partsToText, textPart } from "../../../../src/core/protocol/text.ts";

describe("the text of parts", () => {
  it("joins text by line breaks and keeps it as it is", () => {
    assert.equal(partsToText([{ text: "a\n" }, { text: "" }, { text: " b" }]), "a\n\n\n b");
    assert.equal(partsToText([textPart("a")]), "a");
    assert.equal(partsToText([]), "");
  });

  it("names a url with its type", () => {
    assert.equal(
      partsToText([{ url: "https://a/b", mediaType: "image/png", filename: "b.png" }, { url: "https://c" }]),
      "[file b.png (image/png): https://a/b]\n[file (unknown type): https://c]",
    );
  });

  it("writes data as JSON, also null", () => {
    assert.equal(partsToText([{ data: { a: [1, "x"] } }, { data: null }]), '{"a":[1,"x"]}\nnull');
  });

  it("names a raw file with type and size, never its bytes", () => {
    assert.equal(
      partsToText([{ raw: "QUI=", mediaType: "text/plain", filename: "a.txt" }, { raw: "" }]),
      "[file a.txt (text/plain, 2 bytes)]\n[file (application/octet-stream, 0 bytes)]",
    );
  });
});
