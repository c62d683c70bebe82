import assert from "node:assert/strict";
import { FAMILIES } from "../../../../../src/core/security/redact/families.ts";
import { findSecrets, redactText } from "../../../../../src/core/security/redact/redactor.ts";
import { readText } from "../../../../arch/tree.ts";
import { alnum, hex, jwt, lettersOf } from "../../../../support/fake-keys.ts";

const CORE = 7;

/** A key of each prefix, as long as the family asks for. */
const PREFIXED = FAMILIES.flatMap(({ kind, prefixes, body, min, weak }) =>
  // In a weak family hyphens would make words of chance.
  prefixes.map((prefix, seed) => ({ kind, key: prefix + lettersOf(weak ? body & (CORE | 2048) : body, min, seed) })),
);

const SHAPED: readonly { readonly kind: string; readonly key: string }[] = [
  { kind: "json web token", key: jwt() },
  { kind: "telegram bot token", key: `1234567890:${"A".repeat(2)}${alnum(33)}` },
  { kind: "discord bot token", key: `M${alnum(23)}.${alnum(6)}.${alnum(32)}` },
  { kind: "azure client secret", key: `${alnum(3)}8Q~${alnum(33)}` },
  { kind: "mailgun key", key: [hex(32), hex(8), hex(8)].join("-") },
  { kind: "mailchimp key", key: `${hex(32)}-us12` },
  { kind: "new relic key", key: `${hex(36)}NRAL` },
  { kind: "terraform token", key: `${alnum(14)}.atlasv1.${alnum(67)}` },
];

describe("the families of keys", () => {
  for (const { kind, key } of [...PREFIXED, ...SHAPED]) {
    it(`know a ${kind}: ${key.slice(0, 9)}`, () => {
      assert.deepEqual(findSecrets(`It is ${key}, keep it.`), [kind]);
      for (const [before, after] of [
        ["", ""],
        ["key: ", " and more"],
        ["(", ")"],
        ['{"a":"', '"}'],
        ["https://x.test/?k=", "&b=1"],
        ["line\n", ".\n"],
        ["\u001b[32m", "\u001b[0m"],
        ["\\n", "\\n"],
        ["%3D", "%20"],
      ]) {
        const text = `${before}${key}${after}`;
        const redacted = redactText(text);
        assert.ok(!redacted.includes(key.slice(-12)), `${text} -> ${redacted}`);
        assert.ok(redacted.startsWith(before ?? "") && redacted.endsWith(after ?? ""), `${text} -> ${redacted}`);
      }
    });
  }

  it("leave a prefix that is followed by something else", () => {
    for (const { key } of PREFIXED) {
      const text = `see ${key.slice(0, 3)} or ${key.slice(0, 5)} here`;
      assert.equal(redactText(text), text);
    }
  });

  it("are all in docs/security.md", () => {
    const page = readText("docs/security.md");
    const kinds = new Set([...PREFIXED, ...SHAPED].map(({ kind }) => kind));
    assert.ok(kinds.size >= 60);
    assert.deepEqual(
      [...kinds].filter((kind) => !page.includes(kind)),
      [],
    );
  });
});
