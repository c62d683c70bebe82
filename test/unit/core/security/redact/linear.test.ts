// Time is counted in looks at letters: the same on every machine.

import assert from "node:assert/strict";
import type { Work } from "../../../../../src/core/security/redact/chars.ts";
import { createRedactor } from "../../../../../src/core/security/redact/redactor.ts";
import { alnum, hex, lettersOf } from "../../../../support/fake-keys.ts";
import { SECRETS } from "../../../../support/redaction-corpus.ts";

const UNITS = [
  "a",
  "\n",
  "\r\n",
  " ",
  "eyJ",
  "eyJabcdefgh1.",
  "sk-",
  "sk-a1b2c3d4e5f6-",
  "ghp_",
  "ghp_abcdefg\n",
  "AKIA",
  "-",
  "_",
  ".",
  ":",
  "=",
  "://a:",
  "://a:b@",
  "a@",
  "a.a.a@b.",
  "token=",
  "token:",
  'token="',
  'token="a',
  "token='token=\"",
  "TOKEN=a",
  "password: x ",
  "Authorization: ",
  "Bearer ",
  "bearer=",
  '"',
  "`",
  "\\",
  '\\"',
  "%3D",
  "\\u001b[32m",
  "\u001b[",
  "-----BEGIN ",
  "-----BEGIN PRIVATE KEY----- ",
  "-----BEGIN PRIVATE KEY-----a",
  "-----END",
  "Proc-Type: ",
  "0123456789abcdef",
  "0123456789abcdef-",
  "1234567890:AA",
  "1.",
  "<system",
  "<password>",
  "é",
  "你",
  "open sesam",
  "abcabc",
  "Author: ",
  '"author":{',
  "```",
];

function stepsFor(text: string, piece: number): number {
  const work: Work = { steps: 0 };
  const redactor = createRedactor({ work, secrets: ["open sesame", "abcabcabd"] });
  for (let at = 0; at < text.length; at += piece) redactor.push(text.slice(at, at + piece));
  redactor.end();
  return work.steps;
}

/** No text may cost more looks at a letter than this, whatever its length. */
const PER_LETTER = 64;

describe("the work of redaction", () => {
  for (const unit of UNITS) {
    it(`grows with the text and no faster: ${JSON.stringify(unit)}`, () => {
      for (const length of [20_000, 80_000]) {
        const text = unit.repeat(Math.ceil(length / unit.length));
        const perLetter = stepsFor(text, 50_000) / text.length;
        assert.ok(perLetter < PER_LETTER, `${perLetter} for ${text.length}`);
      }
    });
  }

  it("is small for text around a long gap", () => {
    assert.ok(stepsFor(`a${"\n".repeat(80_000)}b`, 80_002) < 80_002 * 8);
  });

  it("is the same for mixtures of everything, and for small pieces", () => {
    const text = [...SECRETS.map((one) => one.text), alnum(5000), hex(5000), lettersOf(4095, 5000)].join(" ").repeat(4);
    const steps = stepsFor(text, text.length);
    assert.ok(steps < text.length * 20, `${steps / text.length}`);
    assert.ok(stepsFor(text, 3) < steps * 2);
  });
});
