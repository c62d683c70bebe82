// The JSON schema for editors says what the loader says; ajv is the judge.

import assert from "node:assert/strict";
import { Ajv } from "ajv";
import * as fc from "fast-check";
import { settingsSchema } from "../../scripts/docs/settings-schema.ts";
import { readJsonValue } from "../../src/core/config/read-value.ts";
import { SETTINGS, type Setting } from "../../src/core/config/schema.ts";
import { blockWith } from "../support/settings-home.ts";

/** What an editor says of the whole settings.json. */
const validate = new Ajv({ strict: true, allErrors: true, strictTypes: false }).compile(JSON.parse(settingsSchema()));

function accepts(a2a: unknown): boolean {
  return validate({ theme: "dark", a2a }) === true;
}

/** The loader takes the value as a whole. */
function isTaken(setting: Setting, value: unknown): boolean {
  const reading = readJsonValue(setting, value);
  return reading.kind === "value" && reading.leftOut === undefined;
}

/** Values in the setting's own type, good and bad. */
function valuesFor(setting: Setting): fc.Arbitrary<unknown> {
  switch (setting.type) {
    case "boolean":
      return fc.oneof(fc.boolean(), fc.integer(), fc.constant(null));
    case "integer":
    case "number":
      return fc.oneof(
        fc.constantFrom(setting.min, setting.max, setting.min - 1, setting.max + 1, 0, -1, 0.5, 1e308),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      );
    case "enum":
      return fc.constantFrom(...setting.values, "other", "", null, 1);
    case "string":
      return fc.oneof(WORDS, fc.constantFrom(null, 1, {}));
    case "strings":
      return fc.oneof(fc.array(WORDS, { maxLength: 3 }), fc.constantFrom(null, {}, [1]));
    case "map":
      return fc.oneof(fc.dictionary(WORDS, WORDS, { maxKeys: 3 }), fc.constantFrom(null, [], { a: 1 }));
    case "object":
      return fc.constantFrom({}, { a: {} }, [], null, 1);
    case "objects":
      return fc.constantFrom([], [{}], [{ id: "x" }], [1], {}, null);
    default:
      return setting satisfies never;
  }
}

/** Without blanks at the ends, which the loader takes away before it looks. */
const WORDS = fc
  .oneof(
    fc.string({ maxLength: 20 }),
    fc.string({ unit: "binary", maxLength: 5 }),
    fc.constantFrom(
      "",
      "a",
      "a.b-c_d",
      "x".repeat(64),
      "x".repeat(65),
      "http://a.example",
      "ftp://a",
      "/abs",
      "A B",
      "ü",
    ),
  )
  .map((text) => text.trim());

/** A URL that cannot be parsed or has a login, and a relative folder, are beyond a pattern. */
const LOOSE = new Set(["url", "folder"]);

describe("settings schema", () => {
  // The blocks of `projects` are looked at below: the loader checks only that of the session's folder.
  for (const setting of SETTINGS.filter(({ key }) => key !== "projects")) {
    it(`takes for ${setting.key} what the loader takes`, () =>
      fc.assert(
        fc.property(valuesFor(setting), (value) => {
          const taken = isTaken(setting, value);
          const loose = setting.type === "string" && LOOSE.has(setting.format);
          const same = accepts(blockWith(setting.key, value)) === taken;
          assert.ok(same || (loose && !taken), `${JSON.stringify(value)} taken: ${taken}`);
        }),
        { numRuns: 200 },
      ));
  }

  it("takes every default, in a block for a folder too", () => {
    for (const setting of SETTINGS) {
      if (setting.default === undefined) continue;
      const block = blockWith(setting.key, setting.default);
      assert.ok(accepts(block), setting.key);
      assert.ok(accepts({ projects: { "/home/me": block } }), setting.key);
    }
  });

  it("refuses what the loader ignores, at every level", () => {
    for (const block of [
      { other: 1 },
      { server: { prot: 1 } },
      { peers: { "bad name": { url: "http://a" } } },
      { peers: { a: { trust: 1 } } },
      { projects: { "relative/folder": {} } },
      { projects: { "/abs": { projects: {} } } },
      { projects: { "/abs": { server: { prot: 1 } } } },
      { server: [] },
    ]) {
      assert.equal(accepts(block), false, JSON.stringify(block));
    }
  });

  it("takes notes in members that begin like comments, and the rest of Pi's settings", () => {
    assert.ok(accepts({ "//": "why", server: { "// port": 1 } }));
    assert.ok(validate({ theme: "dark", packages: [1] }));
  });

  it("says of every setting what it does, and of those without an effect that they have none", () => {
    const text = settingsSchema();
    for (const { description } of SETTINGS) assert.ok(text.includes(JSON.stringify(description).slice(1, -1)));
    assert.equal(
      text.includes("Has no effect yet."),
      SETTINGS.some(({ wired }) => !wired),
    );
  });
});
