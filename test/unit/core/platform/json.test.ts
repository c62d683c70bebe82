import assert from "node:assert/strict";
import fc from "fast-check";
import { A2aError, isA2aError } from "../../../../src/core/platform/errors.ts";
import {
  describe as describeValue,
  fieldsOf,
  hasField,
  isObject,
  needString,
  omitUndefined,
  outline,
  parseJson,
  readBoolean,
  readField,
  readFilledString,
  readInt,
  readJsonObject,
  readList,
  readString,
  readStrings,
  toJson,
} from "../../../../src/core/platform/json.ts";
import { refusal } from "../../../support/refusal.ts";

const refuse = (path: string, problem: string): A2aError => new A2aError("INVALID_PARAMS", `${path}: ${problem}`);
const fieldsIn = (value: unknown, path = "root") => fieldsOf(value, path, refuse);

describe("parseJson", () => {
  it("gives what JSON.parse gives", () => {
    fc.assert(fc.property(fc.json({ maxDepth: 10 }), (text) => assert.deepEqual(parseJson(text), JSON.parse(text))));
  });

  it("gives a value or an A2aError for any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[[\]{}",:\\a1 ]*$/)), (text) => {
        try {
          parseJson(text);
        } catch (error) {
          assert.ok(isA2aError(error));
        }
      }),
    );
  });

  it("refuses broken JSON as PARSE_ERROR and an empty text by name (W04)", () => {
    for (const text of ['{"jsonrpc":"2.0","id":1,', "<html>", "{'a':1}", "nul", '"open']) {
      refusal("PARSE_ERROR", () => parseJson(text));
    }
    assert.match(refusal("PARSE_ERROR", () => parseJson(" \n")).message, /empty/);
  });

  it("says nothing of the text in the error that may go out", () => {
    assert.doesNotMatch(refusal("PARSE_ERROR", () => parseJson('{"token": s3cret}')).message, /s3cret/);
  });

  it("reads valid JSON that is no object (W04)", () => {
    assert.deepEqual([parseJson("[]"), parseJson('"x"'), parseJson("null")], [[], "x", null]);
  });

  it("drops a byte order mark", () => {
    assert.deepEqual(parseJson("\ufeff[1]"), [1]);
  });

  it("takes nesting up to the limit and refuses one level more", () => {
    const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
    parseJson(nested(64));
    refusal("INVALID_REQUEST", () => parseJson(nested(65)));
    parseJson('{"a":[{}]}', 3);
    refusal("INVALID_REQUEST", () => parseJson('{"a":[{}]}', 2));
  });

  it("refuses 100,000 levels, closed or not (C30)", () => {
    refusal("INVALID_REQUEST", () => parseJson("[".repeat(100_000)));
    refusal("INVALID_REQUEST", () => parseJson(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`));
  });

  it("counts brackets that follow each other, not all brackets", () => {
    parseJson(`[${"[],{},".repeat(1000)}1]`, 2);
  });

  it("does not count brackets inside strings, whatever is escaped there", () => {
    const texts = ["[[[[", '"[[[', '\\"[[[', "\\\\", '\\\\"[[[', 'a\\"', "\\"];
    for (const text of texts) assert.deepEqual(parseJson(JSON.stringify([text]), 1), [text]);
    assert.deepEqual(parseJson(JSON.stringify(texts), 1), texts);
  });

  it("takes 500,000 objects, lists and members and refuses one more, without parsing them (C30)", () => {
    parseJson(`[${"[],".repeat(499_998)}[]]`);
    for (const text of [
      `[${"[],".repeat(499_999)}[]]`,
      `{${'"a":1,'.repeat(499_999)}"b":2}`,
      `[${'{"a":1},'.repeat(250_000)}1]`,
    ]) {
      assert.match(refusal("INVALID_REQUEST", () => parseJson(text)).message, /more than 500000/);
    }
    parseJson(`["${"[{:".repeat(200_000)}"]`);
  });

  it("sees brackets after a string that ends in a backslash", () => {
    refusal("INVALID_REQUEST", () => parseJson('["\\\\",[[]]]', 2));
  });
});

describe("reading fields", () => {
  it("opens objects only", () => {
    assert.ok(isObject({}));
    for (const value of [null, undefined, [], "x", 1, true]) {
      assert.ok(!isObject(value));
      assert.match(refusal("INVALID_PARAMS", () => fieldsIn(value)).message, /^root: must be an object/);
    }
  });

  it("looks for the camelCase name first, then for the snake_case one", () => {
    assert.equal(readField(fieldsIn({ contextId: "a", context_id: "b" }), "contextId"), "a");
    assert.equal(readField(fieldsIn({ context_id: "b" }), "contextId"), "b");
    assert.equal(readField(fieldsIn({ contextId: null, context_id: "b" }), "contextId"), "b");
  });

  it("takes null as absent but can tell that it is there", () => {
    const fields = fieldsIn({ data: null });
    assert.equal(readField(fields, "data"), undefined);
    assert.ok(hasField(fields, "data"));
    assert.ok(!hasField(fields, "text"));
  });

  it("does not see what an object inherits", () => {
    const fields = fieldsIn(JSON.parse('{"__proto__": {"text": "x"}}'));
    assert.equal(readField(fields, "text"), undefined);
    assert.equal(readField(fields, "toString"), undefined);
  });

  it("names the whole path of a wrong field", () => {
    const message = (run: () => unknown): string => refusal("INVALID_PARAMS", run).message;
    assert.equal(
      message(() => readString(fieldsIn({ text: 1 }, "a.b[0]"), "text")),
      "a.b[0].text: must be a string, not 1",
    );
    assert.equal(
      message(() => readString(fieldsIn({ text: 1 }, ""), "text")),
      "text: must be a string, not 1",
    );
    assert.equal(
      message(() => readStrings(fieldsIn({ tags: ["a", 1] }), "tags", 9, 9)),
      "root.tags[1]: must be a string, not 1",
    );
  });

  it("bounds strings", () => {
    assert.equal(readString(fieldsIn({ a: "xyz" }), "a", 3), "xyz");
    assert.match(refusal("INVALID_PARAMS", () => readString(fieldsIn({ a: "xyz" }), "a", 2)).message, /3 characters/);
  });

  it("refuses a needed string that is missing or empty", () => {
    assert.equal(needString(fieldsIn({ a: "x" }), "a"), "x");
    assert.match(refusal("INVALID_PARAMS", () => needString(fieldsIn({}), "a")).message, /missing/);
    assert.match(refusal("INVALID_PARAMS", () => needString(fieldsIn({ a: "" }), "a")).message, /empty/);
  });

  it("reads an empty string as absent where that is asked for", () => {
    assert.equal(readFilledString(fieldsIn({ a: "" }), "a"), undefined);
    assert.equal(readFilledString(fieldsIn({ a: " " }), "a"), " ");
  });

  it("reads booleans only from true and false", () => {
    assert.equal(readBoolean(fieldsIn({ a: false }), "a"), false);
    assert.equal(readBoolean(fieldsIn({}), "a"), undefined);
    for (const a of [0, 1, "true", [], {}]) refusal("INVALID_PARAMS", () => readBoolean(fieldsIn({ a }), "a"));
  });

  it("reads whole numbers from numbers and numeric strings", () => {
    const read = (a: unknown): number | undefined => readInt(fieldsIn({ a }), "a", -5, 100);
    assert.deepEqual([read(7), read("7"), read("-5"), read(100), read(undefined)], [7, 7, -5, 100, undefined]);
    for (const a of [101, -6, 1.5, "1.5", "", " 1", "0x1", "1e1", true, [], Number.NaN]) {
      refusal("INVALID_PARAMS", () => read(a));
    }
  });

  it("bounds lists", () => {
    const read = (a: unknown): unknown => readList(fieldsIn({ a }), "a", 2, (item, path) => [path, item]);
    assert.deepEqual(read([1, 2]), [
      ["root.a[0]", 1],
      ["root.a[1]", 2],
    ]);
    assert.match(refusal("INVALID_PARAMS", () => read([1, 2, 3])).message, /3 entries, 2 are allowed/);
    refusal("INVALID_PARAMS", () => read({ length: 1 }));
  });

  it("reads lists of strings, an empty one as absent", () => {
    const read = (a: unknown): unknown => readStrings(fieldsIn({ a }), "a", 2, 3);
    assert.deepEqual([read(["x", ""]), read([]), read(null)], [["x", ""], undefined, undefined]);
    refusal("INVALID_PARAMS", () => read(["x", "y", "z"]));
    refusal("INVALID_PARAMS", () => read(["long"]));
  });

  it("copies free-form objects without __proto__ at any depth", () => {
    const value = JSON.parse('{"m": {"__proto__": {"x": 1}, "a": [{"__proto__": {"y": 2}, "b": null}]}}');
    const copy = readJsonObject(fieldsIn(value), "m");
    assert.equal(JSON.stringify(copy), '{"a":[{"b":null}]}');
    assert.equal(Object.getPrototypeOf(copy), Object.prototype);
    assert.notEqual(copy, value.m);
  });

  it("refuses what JSON cannot write, and too deep nesting also in values that were not parsed", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    for (const value of [JSON.parse("1e999"), Number.NaN, 1n, () => 1, Symbol("x"), [undefined], cycle]) {
      refusal("INVALID_PARAMS", () => toJson(value, "x", refuse));
    }
  });
});

describe("describing values", () => {
  it("shows strings quoted and cut, other scalars as they are, the rest by kind", () => {
    const shown = ["a\nb", "x".repeat(100), 1.5, null, undefined, [1], { a: 1 }].map(describeValue);
    assert.deepEqual(shown, ['"a\\nb"', `"${"x".repeat(60)}…"`, "1.5", "null", "nothing", "a list", "an object"]);
  });

  it("outlines an object in a bounded line", () => {
    assert.equal(outline({ a: 1, b: { c: 2 } }), '{"a": 1, "b": an object}');
    const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => ["k".repeat(500) + n, "v".repeat(500)]));
    assert.ok(outline(wide).length < 1200);
  });
});

describe("omitUndefined", () => {
  it("leaves out undefined members and keeps null, false and empty ones", () => {
    assert.deepEqual(Object.keys(omitUndefined({ a: undefined, b: null, c: false, d: "" })), ["b", "c", "d"]);
  });
});
