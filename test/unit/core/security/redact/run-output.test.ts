import assert from "node:assert/strict";
import type { RunOutcome, RunOutput } from "../../../../../src/core/ports.ts";
import { createRedaction } from "../../../../../src/core/security/redact/redaction.ts";
import { redactRun } from "../../../../../src/core/security/redact/run-output.ts";
import { alnum } from "../../../../support/fake-keys.ts";

const KEY = `ghp_${alnum(36)}`;
const MASK = "[redacted: github token]";

function emitted(...outputs: readonly RunOutput[]): RunOutput[] {
  const seen: RunOutput[] = [];
  const run = redactRun(createRedaction(), (output) => seen.push(output));
  outputs.forEach(run.emit);
  return seen;
}

function outcome(of: RunOutcome): RunOutcome {
  return redactRun(createRedaction(), () => undefined).outcome(of);
}

function piece(text: string, append: boolean, lastChunk = false): RunOutput {
  const artifact = { artifactId: "reply", name: "reply", parts: [{ text }] };
  return { kind: "artifact", artifact, append, lastChunk, provisional: true };
}

describe("the redaction of a run", () => {
  it("holds back what may be the beginning of a secret, and gives it out when the text ends", () => {
    assert.deepEqual(
      emitted(piece("It is ghp", false), piece(KEY.slice(3), true), piece(" and mo", true), piece("re", true, true)),
      [piece("It is ", false), piece(`${MASK} and `, true), piece("more", true)],
    );
  });

  it("lets the first piece that leaves replace, and nothing leave for pieces without text", () => {
    assert.deepEqual(emitted(piece("gh", false), piece("p", true), piece("", true, true), piece("next", false, true)), [
      piece("ghp", false),
      piece("next", false),
    ]);
  });

  it("begins anew with each text, whatever was held back of the one before", () => {
    assert.deepEqual(emitted(piece("Bearer ghp_abc", false), piece("x y", false, true)), [
      piece("Bearer ", false),
      piece("x y", false),
    ]);
  });

  it("takes secrets from whole artifacts: names, texts, addresses, data, metadata; files stay (X08)", () => {
    const artifact = {
      artifactId: "a",
      name: `${KEY}.txt`,
      description: KEY,
      metadata: { note: KEY, partial: true, list: [1, KEY] },
      parts: [
        { text: KEY, filename: `x-${KEY}` },
        { url: `https://u:${alnum(12)}@x.test/` },
        { data: { password: `${alnum(4)}0`, deep: [{ token: alnum(20), plain: "word", count: 3, none: null }] } },
        { raw: "aGVsbG8=", filename: "a.bin", mediaType: "application/octet-stream" },
      ],
    };
    assert.deepEqual(emitted({ kind: "artifact", artifact, append: false, lastChunk: true }), [
      {
        kind: "artifact",
        artifact: {
          artifactId: "a",
          name: `${MASK}.txt`,
          description: MASK,
          metadata: { note: MASK, partial: true, list: [1, MASK] },
          parts: [
            { text: MASK, filename: `x-${MASK}` },
            { url: "https://u:[redacted: url password]@x.test/" },
            {
              data: {
                password: "[redacted: password]",
                deep: [{ token: "[redacted: secret]", plain: "word", count: 3, none: null }],
              },
            },
            artifact.parts[3],
          ],
        },
        append: false,
        lastChunk: true,
      },
    ]);
  });

  it("takes secrets from notes, reasons, questions and messages (X10)", () => {
    assert.deepEqual(
      emitted({ kind: "working" }, { kind: "working", note: KEY }, { kind: "metadata", metadata: { a: KEY } }),
      [{ kind: "working" }, { kind: "working", note: MASK }, { kind: "metadata", metadata: { a: MASK } }],
    );
    assert.deepEqual(outcome({ kind: "failed", reason: `401: key ${KEY}` }), {
      kind: "failed",
      reason: `401: key ${MASK}`,
    });
    assert.deepEqual(outcome({ kind: "rejected", reason: KEY }), { kind: "rejected", reason: MASK });
    assert.deepEqual(outcome({ kind: "completed", note: KEY }), { kind: "completed", note: MASK });
    assert.deepEqual(outcome({ kind: "completed" }), { kind: "completed" });
    assert.deepEqual(outcome({ kind: "canceled" }), { kind: "canceled" });
    for (const kind of ["input-required", "auth-required"] as const) {
      assert.deepEqual(outcome({ kind, question: [{ text: KEY }] }), { kind, question: [{ text: MASK }] });
    }
    assert.deepEqual(outcome({ kind: "message", parts: [{ text: KEY }] }), {
      kind: "message",
      parts: [{ text: MASK }],
    });
  });
});
