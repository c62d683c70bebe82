import assert from "node:assert/strict";
import { extensionFor, mediaTypeOf } from "../../../../src/core/protocol/media-type.ts";

describe("media types", () => {
  it("follow the last extension, whatever its case", () => {
    const names = ["a.PDF", "a.tar.gz", "photo.jpeg", "page.htm", "main.ts", "Makefile", ".env", "a.", "x.constructor"];
    assert.deepEqual(names.map(mediaTypeOf), [
      "application/pdf",
      "application/gzip",
      "image/jpeg",
      "text/html",
      "text/plain",
      "application/octet-stream",
      "text/plain",
      "application/octet-stream",
      "application/octet-stream",
    ]);
  });

  it("give an extension back, and none for what is not known", () => {
    const types = ["application/pdf", "Text/Plain; charset=utf-8", "image/jpeg", "application/x-unknown", undefined];
    assert.deepEqual(types.map(extensionFor), [".pdf", ".txt", ".jpg", "", ""]);
  });
});
