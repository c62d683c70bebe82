import assert from "node:assert/strict";
import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type A2aError, isA2aError } from "../../../../src/core/platform/errors.ts";
import { createFilesPort } from "../../../../src/core/platform/files.ts";
import { readWorkspaceFile, sizeText } from "../../../../src/pi/files/workspace-file.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

const CAP = { leftBytes: 1024, text: "1 KiB for one file" };

describe("a file of the workspace", () => {
  let dir: TempDir;
  let folder: string;
  const read = (path: string, name?: string) => readWorkspaceFile(createFilesPort(), folder, path, CAP, name);
  const refusal = async (path: string): Promise<A2aError> => {
    const error = await read(path).then(
      () => assert.fail(`${path} was read`),
      (caught: unknown) => caught,
    );
    assert.ok(isA2aError(error, "INVALID_PARAMS"), String(error));
    return error;
  };

  beforeEach(async () => {
    dir = await createTempDir();
    folder = join(dir.path, "workspace");
    await mkdir(join(folder, "sub"), { recursive: true });
    await writeFile(join(folder, "sub", "report.pdf"), "%PDF");
    await writeFile(join(dir.path, "secret.txt"), "secret");
  });
  afterEach(() => dir.remove());

  it("becomes a raw part with its name and type", async () => {
    const part = { raw: "JVBERg==", filename: "report.pdf", mediaType: "application/pdf" };
    assert.deepEqual(await read("sub/report.pdf"), part);
    assert.deepEqual(await read(join(folder, "sub", "report.pdf")), part);
  });

  it("gets the name that is asked for, as one line without folders", async () => {
    const { filename, mediaType } = await read("sub/report.pdf", "../x\n/summary.txt");
    assert.deepEqual([filename, mediaType], ["summary.txt", "text/plain"]);
    assert.equal((await read("sub/report.pdf", " ")).filename, "report.pdf");
  });

  it("is read through a link that stays inside", async () => {
    await symlink("sub/report.pdf", join(folder, "latest.pdf"));
    assert.equal((await read("latest.pdf")).filename, "latest.pdf");
  });

  it("is refused outside of the workspace, also through links and a neighbour of a like name", async () => {
    await symlink(dir.path, join(folder, "up"));
    await symlink(join(dir.path, "secret.txt"), join(folder, "innocent.txt"));
    await mkdir(join(dir.path, "workspace-2"));
    await writeFile(join(dir.path, "workspace-2", "a"), "a");
    for (const path of ["../secret.txt", "up/secret.txt", "innocent.txt", "/etc/hosts", "../workspace-2/a"]) {
      assert.match((await refusal(path)).message, /lies outside of the workspace/, path);
    }
  });

  it("is found below a folder whose name begins with dots", async () => {
    await mkdir(join(folder, "..hidden"));
    await writeFile(join(folder, "..hidden", "a.txt"), "a");
    assert.equal((await read("..hidden/a.txt")).raw, "YQ==");
  });

  it("must be there and be a file", async () => {
    for (const path of ["none", "", " ", "sub/report.pdf/x"]) {
      assert.match((await refusal(path)).message, /there is no file/, path);
    }
    assert.match((await refusal("sub")).message, /not a regular file/);
    assert.match((await refusal(".")).message, /lies outside|not a regular file/);
  });

  it("is refused above the cap, with its size and the cap", async () => {
    await writeFile(join(folder, "big"), "");
    await truncate(join(folder, "big"), 20 * 1024 * 1024);
    assert.match((await refusal("big")).message, /"big" has 20\.0 MiB, which is over the limit of 1 KiB for one file/);
    await truncate(join(folder, "big"), 1024);
    assert.equal((await read("big")).filename, "big");
  });
});

describe("sizeText", () => {
  it("is short", () => {
    assert.deepEqual([0, 1023, 1024, 1.5 * 1024 * 1024].map(sizeText), ["0 bytes", "1023 bytes", "1 KiB", "1.5 MiB"]);
  });
});
