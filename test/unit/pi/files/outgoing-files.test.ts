import assert from "node:assert/strict";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { createFilesPort } from "../../../../src/core/platform/files.ts";
import { readOutgoingFiles } from "../../../../src/pi/files/outgoing-files.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

const MIB = 1024 * 1024;

describe("the files of a call", () => {
  let dir: TempDir;
  const read = (...paths: string[]) => readOutgoingFiles(createFilesPort(), dir.path, paths);
  beforeEach(async () => {
    dir = await createTempDir();
    await writeFile(join(dir.path, "a.txt"), "a");
    await writeFile(join(dir.path, "b.png"), "");
  });
  afterEach(() => dir.remove());

  it("become raw parts with name and type, in their order [client-files-sent]", async () => {
    assert.deepEqual(await read("b.png", "a.txt"), [
      { raw: "", filename: "b.png", mediaType: "image/png" },
      { raw: "YQ==", filename: "a.txt", mediaType: "text/plain" },
    ]);
  });

  it("have one limit together, which the error names", async () => {
    await truncate(join(dir.path, "b.png"), 6 * MIB);
    await assert.rejects(
      read("b.png", "b.png"),
      /"b\.png" has 6\.0 MiB, which is over the limit of 10\.0 MiB for all files of a call, of which 6\.0 MiB are used/,
    );
  });

  it("are not too many", async () => {
    await assert.rejects(read(...Array.from({ length: 21 }, () => "a.txt")), (error) => {
      assert.ok(isA2aError(error, "INVALID_PARAMS"));
      return /21 files are more than the 20/.test(error.message);
    });
  });
});
