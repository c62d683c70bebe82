import assert from "node:assert/strict";
import { refuseSecrets } from "../../../../../src/core/security/redact/parts.ts";
import { createRedaction } from "../../../../../src/core/security/redact/redaction.ts";
import { alnum } from "../../../../support/fake-keys.ts";

const KEY = `ghp_${alnum(36)}`;

function check(text: string, secrets: readonly string[] = [], pause = async () => undefined): Promise<void> {
  const file = { raw: Buffer.from(text).toString("base64"), filename: `${KEY}.txt`, mediaType: "text/plain" };
  return refuseSecrets(
    file,
    createRedaction(() => secrets),
    async () => void (await pause()),
  );
}

describe("a file that is to be sent", () => {
  it("is refused with the kinds of its secrets, and without one in its own name", async () => {
    await assert.rejects(check(`a\n${KEY}\n`), {
      code: "INVALID_PARAMS",
      message: "[redacted: github token].txt was not sent, because it seems to hold a secret: github token",
    });
    await assert.rejects(check("the swordfish", ["swordfish"]), /configured secret/);
  });

  it("may hold mail addresses, and bytes that are no text", async () => {
    await check("bob@example.org");
    await check(`\0${KEY}`);
  });

  it("is read in slices, so that others get their turn, and a secret between two of them is found", async () => {
    let pauses = 0;
    const pause = async (): Promise<undefined> => {
      pauses++;
      return undefined;
    };
    await check("word ".repeat(60_000), [], pause);
    assert.equal(pauses, 5);
    await assert.rejects(check(`${"-".repeat(64 * 1024 - 10)}${KEY}${" x".repeat(9)}`, [], pause), /github token/);
  });
});
