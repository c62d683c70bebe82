import assert from "node:assert/strict";
import * as fc from "fast-check";
import { oneLine, plainText, safeBlock } from "../../../../src/core/security/sanitize.ts";

const ESC = "\u001b";

/** Letters that may act on a terminal, dense enough that sequences come about by chance. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.constantFrom(
        ESC,
        "[",
        "]",
        "\u009b",
        "\u009d",
        "0",
        ";",
        "m",
        "\u0007",
        "\\",
        "\r",
        "\n",
        "\t",
        "\u2028",
        "\u200b",
      ),
      fc.constantFrom("\ud83d", "\ude00", "\udb40", "\udc01", "😀", "あ", "\u202e", "\ufeff", "\u3164", "word", " "),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

/** What must never be in text for a terminal, by general category and not by the rules of the code. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f/u;

function codePoints(text: string): number {
  return Array.from(text).length;
}

describe("oneLine", () => {
  for (const [what, text, wanted] of [
    ["colour codes", `${ESC}[1;31mred${ESC}[0m`, "red"],
    ["a cleared screen and a window title (X16)", `ok${ESC}[2J${ESC}]0;x\u0007`, "ok"],
    ["a hyperlink", `${ESC}]8;;https://evil.example${ESC}\\click${ESC}]8;;${ESC}\\`, "click"],
    ["an 8-bit CSI and OSC", "a\u009b2Jb\u009d0;title\u009cc", "abc"],
    ["a device control string", `a${ESC}P1$r0m${ESC}\\b`, "ab"],
    ["a character set change and a reset", `a${ESC}(0b${ESC}cc`, "abc"],
    ["an unfinished sequence at the end", `ok${ESC}[38;5`, "ok"],
    ["an unfinished title, up to the next control letter", `a${ESC}]0;hidden\nshown`, "a shown"],
    ["a lone escape", `a${ESC}`, "a"],
    ["an escape inside a sequence", `a${ESC}${ESC}[2J[2Jb`, "a[2Jb"],
    ["line breaks of all kinds (X16)", "a\nb\r\nc\rd\u2028e\u2029f\u0085g\vh\fi", "a b c d e f g h i"],
    ["tabs and runs of spaces", "\t a \t\u00a0\u3000 b ", "a b"],
    ["control letters", "a\u0000b\u0008c\u007fd\u0080e", "abcde"],
    ["right-to-left marks and isolates (X16)", "a\u202eb\u2066c\u200fd\u061ce", "abcde"],
    ["letters without width", "a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg", "abcdefg"],
    ["blank letters of Hangul and joiners", "a\u3164b\u115fc\u034fd", "abcd"],
    ["invisible tag letters", "a\u{e0041}\u{e0042}b", "ab"],
    ["lone surrogates (X16)", "a\ud83db\ude00c", "a\ufffdb\ufffdc"],
    ["halves of a tag letter around a removed one", "\udb40\u200b\udc01", "\ufffd\ufffd"],
    ["ordinary text", "Füße, naïve, 東京, 😀 ✔ ├─ e\u0301", "Füße, naïve, 東京, 😀 ✔ ├─ e\u0301"],
    ["text that only looks like a sequence", "array[0] a|b C:\\x", "array[0] a|b C:\\x"],
    ["nothing", "", ""],
  ] as const) {
    it(`makes one safe line of ${what}`, () => assert.equal(oneLine(text), wanted));
  }

  it("cuts by code points and counts the ellipsis", () => {
    assert.equal(oneLine("abcdef", 6), "abcdef");
    assert.equal(oneLine("abcdefg", 6), "abcde…");
    assert.equal(oneLine("😀😀😀😀", 3), "😀😀…");
    assert.equal(oneLine("😀😀😀", 3), "😀😀😀");
    assert.equal(oneLine("ab", 1), "…");
    assert.equal(oneLine("ab", 0), "");
    assert.equal(oneLine("ab", -5), "");
  });

  it("shows a name of 20 kB as 200 letters (X16)", () => {
    assert.equal(oneLine("n".repeat(20_000)), `${"n".repeat(199)}…`);
  });

  it("says that something is missing when the looked-at part holds only invisible letters", () => {
    assert.equal(oneLine(`${"\u200b".repeat(100_000)}x`), "…");
  });

  it("does not split a pair at the end of the looked-at part", () => {
    for (let pad = 1030; pad < 1040; pad++) {
      assert.match(oneLine(`${"\u200b".repeat(pad)}${"😀".repeat(2000)}`, 3), /^(😀){0,2}…$/u);
    }
  });

  it("never leaves a control, invisible or broken letter, and never exceeds the cap", () =>
    fc.assert(
      fc.property(hostile, fc.integer({ min: 0, max: 80 }), (text, max) => {
        const line = oneLine(text, max);
        assert.doesNotMatch(line, FORBIDDEN);
        assert.doesNotMatch(line, /[\r\n]/);
        assert.ok(codePoints(line) <= max);
        assert.equal(oneLine(line, max), line);
      }),
      { numRuns: 500 },
    ));
});

describe("safeBlock", () => {
  it("keeps lines and indentation, without tabs and escape sequences", () => {
    assert.equal(safeBlock(`if (x) {\r\n\t${ESC}[31mrun${ESC}[0m();\r  }\u2028\n`), "if (x) {\n    run();\n  }");
  });

  it("cuts at the lines and at the letters that were asked for", () => {
    assert.equal(safeBlock("a\nb\nc", 3), "a\nb\nc");
    assert.equal(safeBlock("a\nb\nc", 2), "a\nb…");
    assert.equal(safeBlock("a\n\n\nc", 2), "a\n…");
    assert.equal(safeBlock("abc\ndef", 9, 5), "abc\n…");
    assert.equal(safeBlock("abc", 0), "…");
    assert.equal(safeBlock("abc", 1, 0), "");
    assert.equal(safeBlock("x".repeat(9000), 5, 4000), `${"x".repeat(3999)}…`);
  });

  it("never leaves a control letter but line breaks, and never exceeds its caps", () =>
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 80 }), (text, lines, chars) => {
        const block = safeBlock(text, lines, chars);
        assert.doesNotMatch(block.replaceAll("\n", ""), FORBIDDEN);
        assert.ok(block.split("\n").length <= lines);
        assert.ok(codePoints(block) <= chars);
      }),
      { numRuns: 500 },
    ));
});

describe("plainText", () => {
  it("keeps tabs and every line, and takes only what nobody sees", () => {
    assert.equal(plainText(`all:\r\n\tcc -o x\u0000 ${ESC}[1mx.c\n\n`), "all:\n\tcc -o x x.c\n\n");
  });

  it("leaves text alone that holds nothing of the kind", () =>
    fc.assert(fc.property(fc.stringMatching(/^[ -~\n\tä-ü東😀]*$/u), (text) => assert.equal(plainText(text), text))));
});
