import assert from "node:assert/strict";
import * as fc from "fast-check";
import { editJson } from "../../../../src/core/config/json-edit.ts";
import { isA2aError } from "../../../../src/core/platform/errors.ts";

const set = (text: string, path: string, value: unknown): string => editJson(text, [{ path: path.split("."), value }]);

describe("editing a JSON text", () => {
  for (const [what, text, path, value, wanted] of [
    ["replaces a value where it stands", '{"a": 1,  "b":2 }', "a", 10, '{"a": 10,  "b":2 }'],
    ["replaces the last of two members of one name", '{"a":1,"a":2}', "a", 3, '{"a":1,"a":3}'],
    ["adds a member behind the others, spaced as they are", '{"a": 1, "b": 2}', "c", 3, '{"a": 1, "b": 2, "c": 3}'],
    ["adds to a dense text densely", '{"a":1,"b":2}', "c", 3, '{"a":1,"b":2,"c":3}'],
    ["adds to a single member", '{ "a": 1 }', "b", 2, '{ "a": 1, "b": 2 }'],
    ["adds to an empty object on one line", '{"a":{}}', "a.b", 2, '{"a":{"b":2}}'],
    ["adds what is nested", '{"a":1}', "b.c", 2, '{"a":1,"b":{"c":2}}'],
    ["takes null for nothing", '{"a":null}', "a.b", 1, '{"a":{"b":1}}'],
    ["makes a lone object readable", "{}", "a.b", 1, '{\n  "a": {\n    "b": 1\n  }\n}'],
    [
      "keeps the indentation of its own line",
      '{\n\t"a": {\n\t\t"b": 1\n\t}\n}\n',
      "a.c",
      2,
      '{\n\t"a": {\n\t\t"b": 1,\n\t\t"c": 2\n\t}\n}\n',
    ],
    ["opens an empty object over lines", '{\n    "a": {}\n}', "a.b", 2, '{\n    "a": {\n        "b": 2\n    }\n}'],
    [
      "writes a structure as deep as it stands",
      '{\n  "a": 1\n}',
      "b",
      { c: [1] },
      '{\n  "a": 1,\n  "b": {\n    "c": [\n      1\n    ]\n  }\n}',
    ],
    ["keeps CRLF", '{\r\n  "a": 1\r\n}\r\n', "b", 2, '{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n'],
    ["keeps the byte-order mark", '\ufeff{"a":1}', "a", 2, '\ufeff{"a":2}'],
    ["passes over braces and quotes in strings", '{"x":"}\\"{","a":[{"b":"]"}]}', "a", 1, '{"x":"}\\"{","a":1}'],
    ["finds a member by what its name says", '{"\\u0061":1}', "a", 2, '{"\\u0061":2}'],
    [
      "adds an inline member to an object on one line in a longer text",
      '{\n  "a": {"b":1}\n}',
      "a.c",
      2,
      '{\n  "a": {"b":1,"c":2}\n}',
    ],
    ["removes the first", '{ "a": 1, "b": 2 }', "a", undefined, '{ "b": 2 }'],
    ["removes the last", '{ "a": 1, "b": 2 }', "b", undefined, '{ "a": 1 }'],
    ["removes the only one", '{\n  "a": {\n    "b": 1\n  }\n}', "a.b", undefined, '{\n  "a": {}\n}'],
    [
      "removes one of several lines",
      '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}',
      "b",
      undefined,
      '{\n  "a": 1,\n  "c": 3\n}',
    ],
    ["removes every member of that name", '{"a":1,"b":2,"a":3}', "a", undefined, '{"b":2}'],
    ["removes what is null", '{"a":null,"b":1}', "a", undefined, '{"b":1}'],
    ["leaves what is not there", '{"a":{"c":1}}', "a.b", undefined, '{"a":{"c":1}}'],
    ["leaves what is nowhere", '{"a":1}', "x.y", undefined, '{"a":1}'],
    ["leaves what would be below null", '{"a":null}', "a.b", undefined, '{"a":null}'],
  ] as const) {
    it(what, () => assert.equal(set(text, path, value), wanted));
  }

  it("overwrites nothing that is not an object", () => {
    for (const text of ['{"a":"b"}', '{"a":[]}', '{"a":1}']) {
      for (const value of [1, undefined]) {
        assert.throws(
          () => set(text, "a.b.c", value),
          (error) => isA2aError(error, "CONFIG_INVALID"),
        );
      }
    }
  });

  it("changes what it is told and no other value, in any JSON written in any way", async () => {
    const names = fc.constantFrom("a", "b", "c", "__proto__", "constructor", 'q"u\\o', "\u2028", "");
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.string({ unit: "binary" }),
        fc.dictionary(names, tie("json"), { maxKeys: 4 }),
      ),
    }));
    const root = fc.dictionary(names, json, { maxKeys: 4 });
    const path = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 3 });
    const indent = fc.constantFrom(undefined, 1, 2, "\t");
    const style = fc.record({ indent, crlf: fc.boolean(), bom: fc.boolean() });
    await fc.assert(
      fc.property(
        root,
        path,
        fc.option(json, { nil: undefined }),
        style,
        (before, steps, value, { indent, crlf, bom }) => {
          const plain = JSON.stringify(before, null, indent);
          const text = (bom ? "\ufeff" : "") + (crlf ? plain.replaceAll("\n", "\r\n") : plain);
          let edited: string;
          try {
            edited = editJson(text, [{ path: steps, value }]);
          } catch (error) {
            assert.ok(isA2aError(error, "CONFIG_INVALID"));
            return;
          }
          // editJson compares the values itself; here: the bytes around the edit stay, and so does the style.
          assert.equal(edited.startsWith("\ufeff"), bom);
          if (crlf && text.includes("\n")) assert.doesNotMatch(edited, /(?<!\r)\n/);
          assert.equal(editJson(edited, [{ path: steps, value }]), edited);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("takes a time that grows with the text only", () => {
    const deep = `{"x":${"[".repeat(60)}${"]".repeat(60)},"y":"${'\\"'.repeat(200_000)}","a":1}`;
    assert.equal(set(deep, "a", 2).length, deep.length);
    const wide = `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":${index}`).join(",")}}`;
    assert.ok(set(wide, "a.b", 2).endsWith(',"a":{"b":2}}'));
  });
});
