import assert from "node:assert/strict";
import fc from "fast-check";
import { limitOutput, MAX_OUTPUT_BYTES, MAX_OUTPUT_LINES } from "../../../../src/pi/text/limit-output.ts";

describe("limitOutput", () => {
  it("leaves a text within the limits as it is", () => {
    assert.deepEqual(limitOutput("short\ntext"), { text: "short\ntext", cut: false });
  });

  it("cuts a reply of 300 KB on one line to 50 KB (C34)", () => {
    const limited = limitOutput("x".repeat(300_000));
    assert.equal(limited.cut, true);
    assert.equal(Buffer.byteLength(limited.text), MAX_OUTPUT_BYTES);
  });

  it("cuts a reply of 5,000 lines to 2,000 (C34)", () => {
    const limited = limitOutput(Array.from({ length: 5000 }, (_, n) => String(n)).join("\n"));
    assert.equal(limited.cut, true);
    assert.equal(limited.text.split("\n").length, MAX_OUTPUT_LINES);
  });

  it("never cuts inside a character, whatever the text and the limit", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 40 }), (text, max) => {
        const limited = limitOutput(text, max, 100);
        assert.ok(text.startsWith(limited.text));
        assert.ok(Buffer.byteLength(limited.text) <= max);
        assert.equal(
          limited.text.includes("\uFFFD"),
          limited.text.length > 0 && text.slice(0, limited.text.length).includes("\uFFFD"),
        );
      }),
    );
  });
});
