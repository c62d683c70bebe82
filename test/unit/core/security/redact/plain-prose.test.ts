import assert from "node:assert/strict";
import fc from "fast-check";
import { FAMILIES } from "../../../../../src/core/security/redact/families.ts";
import { isPlainProse } from "../../../../../src/core/security/redact/plain-prose.ts";
import { createRedaction } from "../../../../../src/core/security/redact/redaction.ts";
import { findSecrets, redactText } from "../../../../../src/core/security/redact/redactor.ts";
import { SECRETS } from "../../../../support/redaction-corpus.ts";

/** What announces secrets and what they begin with, as far as such words may stand in plain prose. */
const LOADED = [
  ...FAMILIES.flatMap(({ prefixes }) => prefixes),
  ...["password", "Password", "DB_PASSWORD", "token", "secret", "apiKey", "Authorization", "auth", "sig", "login"],
  ...["Bearer", "basic", "BEGIN", "PRIVATE", "KEY", "eyJhbGci", "author", "user", "curl", "env", "export"],
];
const LETTERS = "abcxyzABCXYZ0189,.!?' ";
const word = fc.oneof(
  fc.constantFrom(...LOADED),
  fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 16 }),
  fc.constantFrom(...SECRETS).map(({ text }) => text.slice(0, 60)),
);
const texts = fc
  .array(fc.tuple(word, fc.constantFrom(" ", "  ", "", ". ", "' ", "!")), { maxLength: 20 })
  .map((pairs) => pairs.flat().join(""));

describe("plain prose", () => {
  it("is what the whole of redaction finds nothing in", () => {
    fc.assert(
      fc.property(texts, (text) => {
        if (!isPlainProse(text, [])) return;
        assert.deepEqual(findSecrets(text), []);
        assert.equal(redactText(text), text);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is no text with a secret in it", () => {
    for (const { text, redacted } of SECRETS) if (text !== redacted) assert.equal(isPlainProse(text, []), false, text);
  });

  it("is what most short replies are", () => {
    for (const text of ["", "Hello there.", "Done, it works now! 3 files, isn't it?", "a  b"]) {
      assert.equal(isPlainProse(text, ["hunter2hunter2"]), true, text);
    }
  });

  it("holds none of the known secrets, also where they are words of prose", () => {
    assert.equal(isPlainProse("it is hunter2 again", ["hunter2"]), false);
    assert.match(createRedaction(() => ["hunter2"]).text("it is hunter2 again"), /^it is \[redacted/);
  });

  it("is looked for in a time that grows with the text", () => {
    for (const text of [
      "a".repeat(400),
      `${"aaaaaaaaaaaaaaa ".repeat(24)}-`,
      `${" ".repeat(399)}-`,
      "a ".repeat(2e6),
    ]) {
      assert.equal(isPlainProse(text, []), false);
    }
  });
});
