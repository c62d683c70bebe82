import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { excerpt } from "../../../src/outbound/excerpt.ts";

describe("the excerpt of an error page", () => {
  it("takes the words out of HTML", () => {
    const html =
      "<!DOCTYPE html><style>p{}</style><h1>502 Bad&nbsp;Gateway</h1><script>alert(1)</script><p>nginx &amp; co";
    assert.equal(excerpt(html), '"502 Bad Gateway nginx & co"');
  });

  it("is one short line without control characters", () => {
    const text = excerpt(`a\u001b[31m\nb\u0000${"x".repeat(500)}`);
    assert.ok(/^"a b?x+…"$|^"a bx+…"$/.test(text) && text.length <= 162, text);
  });

  it("is empty for an empty page", () => {
    assert.equal(excerpt(" \n "), "");
    assert.equal(excerpt("<html><body></body></html>"), "");
  });

  it("looks at the beginning of a huge page only", () => {
    assert.ok(excerpt("<script".repeat(1_000_000), "text/html").length < 200);
  });
});
