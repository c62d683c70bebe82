import assert from "node:assert/strict";
import * as fc from "fast-check";
import { createRedactor, findSecrets, redactText } from "../../../../../src/core/security/redact/redactor.ts";
import { alnum, jwt, keyBlock } from "../../../../support/fake-keys.ts";
import { HARMLESS, SECRETS } from "../../../../support/redaction-corpus.ts";

const KNOWN = ["open sesame", 'a"b\\c/d?e', "abcabcabd"];

function inPieces(pieces: readonly string[]): string {
  const redactor = createRedactor({ secrets: KNOWN });
  return pieces.map((piece) => redactor.push(piece)).join("") + redactor.end();
}

const whole = (text: string): string => redactText(text, { secrets: KNOWN });

describe("redaction of a whole text", () => {
  for (const { what, text, redacted } of SECRETS) {
    it(`masks ${what} (X08)`, () => {
      assert.equal(redactText(text), redacted);
      assert.equal(redactText(`Here:\n${text}\nEnd.`), `Here:\n${redacted}\nEnd.`);
    });
  }

  for (const text of HARMLESS) {
    it(`leaves ${JSON.stringify(text.slice(0, 60))} (X07)`, () => assert.equal(redactText(text), text));
  }

  it("masks known secrets wherever they stand, and as JSON and URLs spell them", () => {
    const masked = "[redacted: configured secret]";
    assert.equal(whole("xopen sesamex"), `x${masked}x`);
    assert.equal(whole(JSON.stringify({ t: KNOWN[1] })), `{"t":"${masked}"}`);
    assert.equal(whole(`?t=${encodeURIComponent(KNOWN[1] ?? "")}&u`), `?t=${masked}&u`);
    assert.equal(whole("abcabcabcabd"), `abc${masked}`);
  });

  it("takes the longer of two known secrets that begin alike, and no short ones", () => {
    const secrets = ["swordfish", "swordfish-9", "the", ""];
    assert.equal(redactText("the swordfish-9, the swordfish", { secrets }).match(/\[redacted/g)?.length, 2);
    assert.doesNotMatch(redactText("swordfish-9", { secrets }), /9/);
  });

  it("keeps mail addresses when it is told to, and then finds everything else", () => {
    const text = `bob@example.org ${jwt()}`;
    assert.equal(redactText(text, { mail: false }), "bob@example.org [redacted: json web token]");
  });

  it("names each kind once", () => {
    assert.deepEqual(findSecrets(`${jwt()} bob@example.org ${jwt(1)}`), ["json web token", "mail address"]);
    assert.deepEqual(findSecrets("nothing"), []);
  });

  it("masks keys of any length, also where the text is one endless word", () => {
    const long = `eyJ${alnum(300)}.${alnum(9000)}.${alnum(342)}`;
    const header = `eyJ${alnum(3000)}.eyJ${alnum(500)}.${alnum(342)}`;
    assert.equal(redactText(`${"a1-".repeat(1360)}${long} x`), `${"a1-".repeat(1360)}[redacted: json web token] x`);
    assert.ok(redactText(`x ${header} y`).endsWith("[redacted: json web token] y"));
    assert.equal(redactText(`token="${alnum(9000)}" x`), 'token="[redacted: secret]" x');
    assert.equal(redactText(`TOKEN=${alnum(9000)} x`), "TOKEN=[redacted: secret] x");
    for (let before = 4000; before < 4110; before++) {
      const text = `${"-".repeat(before)}ghp_${alnum(36)}`;
      assert.equal(redactText(text), `${"-".repeat(before)}[redacted: github token]`);
    }
  });

  it("drops a key block of any length", () => {
    const line = `${alnum(64)}\\n`;
    assert.equal(
      redactText(`-----BEGIN PRIVATE KEY-----\\n${line.repeat(500)}-----END PRIVATE KEY-----. x`),
      "[redacted: private key]. x",
    );
  });

  it("changes nothing that it has redacted already", () => {
    for (const { text } of SECRETS) assert.equal(whole(whole(text)), whole(text));
  });
});

describe("redaction of a stream", () => {
  for (const text of [...SECRETS.map((one) => `Look: ${one.text} and so on.`), ...HARMLESS]) {
    it(`gives what the whole gives at every cut of ${JSON.stringify(text.slice(0, 50))}`, () => {
      const wanted = whole(text);
      assert.equal(inPieces(Array.from({ length: text.length }, (_, at) => text[at] ?? "")), wanted);
      for (let cut = 0; cut <= text.length; cut++) {
        assert.equal(inPieces([text.slice(0, cut), text.slice(cut)]), wanted, `cut at ${cut}`);
      }
    });
  }

  it("gives what the whole gives for any mixture and any cuts", () =>
    fc.assert(fc.property(mixture, cuts, sameForCuts), { numRuns: 300 }));

  it("gives what the whole gives around the length at which long words are decided", () =>
    fc.assert(fc.property(longMixture, cuts, sameForCuts), { numRuns: 20 }));

  it("is done after one run, for any mixture", () =>
    fc.assert(
      fc.property(mixture, (text) => assert.equal(whole(whole(text)), whole(text))),
      { numRuns: 300 },
    ));

  it("passes text on as soon as it can be no secret any more", () => {
    const redactor = createRedactor();
    assert.equal(redactor.push("The quick br"), "The quick ");
    assert.equal(redactor.push("own fox "), "brown fox ");
    assert.equal(redactor.push("的一段话，"), "的一段话，");
    assert.equal(redactor.push("password: hunter2hun"), "password: ");
    assert.equal(redactor.push("ter2 ok"), "[redacted: password] ");
    assert.equal(redactor.end(), "ok");
  });

  it("holds back a few thousand letters at most", () => {
    for (const unit of [
      "a",
      "eyJ",
      "ghp_a",
      "-",
      "token=",
      "://a:",
      "a@",
      '"',
      "\\",
      "-----BEGIN PRIVATE KEY-----\n",
      "=\n",
      "é",
    ]) {
      const redactor = createRedactor();
      let open = 0;
      let most = 0;
      for (let at = 0; at < 20_000; at++) {
        open += unit.length;
        const out = redactor.push(unit);
        open = out === "" ? open : 0;
        most = Math.max(most, out === "" && !/KEY|ghp|token/.test(unit) ? open : 0);
      }
      assert.ok(most < 9000, `${unit}: ${most}`);
    }
  });
});

const word = fc.constantFrom(
  ..."the token secret password: = : := `code` ``` x ' \\\" \\n ( [ { } Bearer Basic Authorization: @ a@b.example".split(
    " ",
  ),
  ..."https:// u:pw1234@ -u --password api_key= DB_PASSWORD= é 你好 😀 Author: </password> <password>".split(" "),
  ..."-----BEGIN PRIVATE KEY----- -----END RSA ghp_ sk- eyJ MIIEvQ Proc-Type: open sesame abcabc author".split(" "),
  "-----BEGIN RSA PRIVATE KEY-----",
  '"author":{',
  "\u001b[32m",
);
const secret = fc.constantFrom(
  ...SECRETS.map(({ text }) => text),
  ...KNOWN,
  alnum(40),
  jwt(),
  keyBlock(),
  `ghp_${alnum(15)}\n${alnum(21)}`,
);
const separator = fc.constantFrom("", " ", "\n", "\r\n", "  ", "\t", ":", "=", ", ", "\u001b[0m", '"', "`", "@", "，");
const mixture = fc
  .array(fc.tuple(fc.oneof({ weight: 3, arbitrary: word }, secret, fc.string({ maxLength: 5 })), separator), {
    maxLength: 14,
  })
  .map((pieces) => pieces.flat().join(""));
const longMixture = fc
  .tuple(mixture, fc.integer({ min: 3500, max: 5500 }), fc.constantFrom("a", "-a", "a1.", "=a"), mixture)
  .map(([before, length, unit, after]) => before + unit.repeat(length / unit.length) + after);
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

function sameForCuts(text: string, lengths: readonly number[]): void {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  assert.equal(inPieces(pieces), whole(text));
}
