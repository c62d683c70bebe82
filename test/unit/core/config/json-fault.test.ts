import assert from "node:assert/strict";
import * as fc from "fast-check";
import { findJsonFault } from "../../../../src/core/config/json-fault.ts";

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    assert.ok(error instanceof SyntaxError);
    return false;
  }
}

function agrees(text: string): void {
  assert.equal(findJsonFault(text) === undefined, parses(text), JSON.stringify(text));
}

/** JSON text with one place changed: cut, doubled, or replaced by a letter that matters. */
const broken = fc
  .tuple(fc.json(), fc.nat(), fc.constantFrom("", "", ..."{}[]:,\"'\\/0-.eEtn \t\n\u0000\u00a0\ufeff#"))
  .map(([text, place, letter]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + letter + text.slice(at + 1);
  });

describe("findJsonFault", () => {
  for (const [what, text, line, column, problem] of [
    ["a comma before the end of an object (G01)", '{\n  "a": 1,\n}', 3, 1, /comma/],
    ["a comma before the end of a list", "[1, 2, ]", 1, 8, /comma/],
    ["a Windows path (G01)", '{"a": "C:\\Users\\x"}', 1, 10, /backslash/],
    ["a file cut in half (G01)", '{"a": {"b": 1', 1, 14, /ends too early/],
    ["a string cut in half", '{"a": "b', 1, 7, /does not end/],
    ["a comment (G02)", '{\r\n  "a": true, // on\r\n  "b": 1\r\n}', 2, 14, /comments/],
    ["a block comment", "/* a */ {}", 1, 1, /comments/],
    ["a name without quotes", "{ a: 1 }", 1, 3, /double quotes/],
    ["single quotes", "{ 'a': 1 }", 1, 3, /double quotes/],
    ["a missing comma", '{"a": 1\n"b": 2}', 2, 1, /comma/],
    ["a missing value", '{"a": }', 1, 7, /value/],
    ["a missing colon", '{"a" 1}', 1, 6, /colon/],
    ["a line break in a string", '{"a": "b\nc"}', 1, 9, /line break/],
    ["a leading zero", "[01]", 1, 3, /comma/],
    ["a bare word", "[yes]", 1, 2, /value/],
    ["two values", "{} {}", 1, 4, /more after/],
    ["nothing", "", 1, 1, /too early/],
  ] as const) {
    it(`names the place of ${what}`, () => {
      const fault = findJsonFault(text);
      assert.deepEqual([fault?.line, fault?.column], [line, column]);
      assert.match(fault?.problem ?? "", problem);
    });
  }

  it("takes what JSON.parse takes, and nothing else", () => {
    for (const text of [
      '{"a":[]}',
      " [ ] ",
      '"\\u00e9\\n"',
      "-0.5e+10",
      "1.",
      "-",
      "[1,,2]",
      "{,}",
      "tru",
      '"\\u00g0"',
      "]",
    ]) {
      agrees(text);
    }
  });

  it("finds no fault in any JSON", () =>
    fc.assert(fc.property(fc.json(), (text) => assert.equal(findJsonFault(text), undefined))));

  it("agrees with JSON.parse on any changed JSON", () => fc.assert(fc.property(broken, agrees), { numRuns: 2000 }));

  it("is not overthrown by depth", () => {
    assert.equal(findJsonFault("[".repeat(500_000))?.problem, "the text ends too early");
    assert.equal(findJsonFault("[".repeat(500_000) + "]".repeat(500_000)), undefined);
  });
});
