import assert from "node:assert/strict";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { createFilesPort } from "../../../../src/core/platform/files.ts";
import { createLog } from "../../../../src/core/platform/log.ts";
import { refuseSecrets } from "../../../../src/core/security/redact/parts.ts";
import { createRedaction } from "../../../../src/core/security/redact/redaction.ts";
import type { WorkspaceFile } from "../../../../src/pi/files/workspace-file.ts";
import { askCallerTool } from "../../../../src/pi/tools/ask-caller.ts";
import { attachTool } from "../../../../src/pi/tools/attach.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { alnum } from "../../../support/fake-keys.ts";
import { createFakeContext } from "../../../support/fake-pi.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

const MIB = 1024 * 1024;
const { ctx } = createFakeContext();

describe("a2a_ask_caller", () => {
  it("hands the question over and ends the run", async () => {
    const asked: string[] = [];
    const tool = askCallerTool((question) => asked.push(question));
    const result = await tool.execute("1", { question: " Which branch?\n" }, undefined, undefined, ctx);
    assert.deepEqual(asked, ["Which branch?"]);
    assert.equal(result.terminate, true);
  });

  it("refuses an empty question, and the run goes on", async () => {
    const tool = askCallerTool(() => assert.fail("asked nothing"));
    await assert.rejects(tool.execute("1", { question: "  " }, undefined, undefined, ctx), (error) =>
      isA2aError(error, "INVALID_PARAMS"),
    );
  });

  it("is told to the model in one line", () => {
    assert.match(askCallerTool(() => undefined).promptSnippet ?? "", /^a2a_ask_caller: /);
  });
});

describe("a2a_attach", () => {
  let dir: TempDir;
  let attached: WorkspaceFile[];
  beforeEach(async () => {
    dir = await createTempDir();
    attached = [];
  });
  afterEach(() => dir.remove());

  const tool = () =>
    attachTool({
      files: createFilesPort(),
      log: createLog(createFakeClock(), () => "log-1"),
      cwd: dir.path,
      check: (one) => refuseSecrets(one, createRedaction(), async () => undefined),
      attach: (file) => attached.push(file),
    });
  const file = async (name: string, bytes: number): Promise<void> => {
    await writeFile(join(dir.path, name), "");
    await truncate(join(dir.path, name), bytes);
  };

  it("hands the file over and says what was attached", async () => {
    await writeFile(join(dir.path, "a.txt"), "hello");
    const result = await tool().execute("1", { path: "a.txt", name: "b.md" }, undefined, undefined, ctx);
    assert.deepEqual(attached, [{ raw: "aGVsbG8=", filename: "b.md", mediaType: "text/markdown" }]);
    assert.deepEqual(result.content, [{ type: "text", text: "Attached b.md (text/markdown, 5 bytes)." }]);
  });

  it("refuses a text that holds a secret, names its kind, and counts nothing (X08)", async () => {
    await writeFile(join(dir.path, "a.env"), `# bob@example.org\nTOKEN=ghp_${alnum(36)}\n`);
    await assert.rejects(
      tool().execute("1", { path: "a.env" }, undefined, undefined, ctx),
      /a\.env was not sent, because it seems to hold a secret: github token\n/,
    );
    await writeFile(join(dir.path, "b.bin"), `\0ghp_${alnum(36)}`);
    await writeFile(join(dir.path, "c.md"), "bob@example.org");
    for (const path of ["b.bin", "c.md"]) await tool().execute("1", { path }, undefined, undefined, ctx);
    assert.deepEqual(
      attached.map(({ filename }) => filename),
      ["b.bin", "c.md"],
    );
  });

  it("names the limit for one file", async () => {
    await file("big", 2 * MIB + 1);
    await assert.rejects(
      tool().execute("1", { path: "big" }, undefined, undefined, ctx),
      /"big" has 2\.1 MiB, which is over the limit of 2\.0 MiB for one file/,
    );
    assert.deepEqual(attached, []);
  });

  it("names the limit for all files of a run", async () => {
    await file("a", 2 * MIB);
    await file("b", 1);
    const { execute } = tool();
    for (let count = 0; count < 4; count++) await execute("1", { path: "a" }, undefined, undefined, ctx);
    await assert.rejects(
      execute("2", { path: "b" }, undefined, undefined, ctx),
      /over the limit of 8\.0 MiB for all files of one run, of which 8\.0 MiB are used/,
    );
    assert.equal(attached.length, 4);
  });

  it("runs one after another, so that two at once cannot pass the limit together", () => {
    assert.equal(tool().executionMode, "sequential");
  });
});
