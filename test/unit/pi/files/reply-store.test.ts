import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { A2aError } from "../../../../src/core/platform/errors.ts";
import { createFilesPort, type FilesPort } from "../../../../src/core/platform/files.ts";
import { createLog } from "../../../../src/core/platform/log.ts";
import type { Artifact, Part } from "../../../../src/core/protocol/types.ts";
import type { CallResult } from "../../../../src/outbound/client-types.ts";
import { createReplyStore, type ReplyStore } from "../../../../src/pi/files/reply-store.ts";
import { createCountIds } from "../../../support/count-ids.ts";
import { callResult } from "../../../support/fake-client.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

describe("what is kept of a reply", () => {
  let dir: TempDir;
  let store: ReplyStore;
  const open = (files: FilesPort = createFilesPort()): ReplyStore =>
    createReplyStore({ files, ids: createCountIds(), log: createLog(createFakeClock(), () => "log-1") }, dir.path);
  beforeEach(async () => {
    dir = await createTempDir();
    store = open();
  });
  afterEach(() => dir.remove());

  const keep = async (parts: readonly Part[], fields: Partial<CallResult> = {}, artifact: Partial<Artifact> = {}) => {
    const attachments = [{ artifactId: "f1", parts, ...artifact }];
    return (await store.keep(callResult({ attachments, ...fields }))).received;
  };
  /** Paths below the folder of received files. */
  const places = (parts: readonly { readonly path?: string }[]) =>
    parts.map(({ path }) => path && relative(join(dir.path, "a2a_files"), path).split(sep).join("/"));

  it("is nothing for a short text, and the whole of a long one", async () => {
    assert.deepEqual(await store.keep(callResult()), { received: { parts: [], dropped: 0 } });
    const { textPath = "" } = await store.keep(callResult({ text: "y".repeat(100_000) }));
    assert.equal((await readFile(textPath, "utf8")).length, 100_000);
    assert.deepEqual(await readdir(dir.path), ["a2a_replies"]);
  });

  it("is a file byte for byte, for its user alone, with name, type and size (C37) [client-files-saved]", async () => {
    const { parts } = await keep([{ raw: "JVBERi0=", filename: "report.pdf", mediaType: "application/pdf" }]);
    const path = join(dir.path, "a2a_files", "task-1", "report.pdf");
    assert.deepEqual(parts, [{ kind: "file", name: "report.pdf", mediaType: "application/pdf", bytes: 5, path }]);
    assert.equal(await readFile(path, "utf8"), "%PDF-");
    if (process.platform === "win32") return;
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(join(path, ".."))).mode & 0o777, 0o700);
  });

  for (const data of [[1, 2], null, "text", 0, false, { a: { b: [] } }]) {
    it(`is data of any kind: ${JSON.stringify(data)} (C37)`, async () => {
      const { parts } = await keep([{ data }], {}, { name: "numbers" });
      assert.deepEqual(places(parts), ["task-1/numbers.json"]);
      assert.equal(parts[0]?.kind, "data");
      assert.deepEqual(JSON.parse(parts[0]?.json ?? ""), data);
      assert.deepEqual(JSON.parse(await readFile(parts[0]?.path ?? "", "utf8")), data);
    });
  }

  it("is only the name of a url (C37)", async () => {
    const { parts } = await keep([{ url: "https://x.test/a.png", mediaType: "image/png" }]);
    assert.deepEqual(parts, [{ kind: "url", name: "", mediaType: "image/png", url: "https://x.test/a.png" }]);
    assert.deepEqual(await readdir(dir.path), []);
  });

  it("keeps equal names apart, and takes no name as it comes (X11)", async () => {
    const names = ["a.txt", "A.TXT", "../../x", "/etc/passwd", "nul", "..", "\u202egnp.exe"];
    const { parts } = await keep(
      names.map((filename, index) => ({ raw: Buffer.from([index]).toString("base64"), filename })),
    );
    assert.deepEqual(
      places(parts),
      ["a.txt", "A-2.TXT", "x", "passwd", "file_nul", "file", "gnp.exe"].map((name) => `task-1/${name}`),
    );
    assert.deepEqual(await readdir(dir.path), ["a2a_files"]);
  });

  it("names an unnamed file by its artifact and type", async () => {
    const { parts } = await keep([{ raw: "", mediaType: "application/pdf" }], {}, { name: "The report" });
    assert.deepEqual(places(parts), ["task-1/The_report.pdf"]);
    assert.deepEqual(places((await keep([{ raw: "AA==", mediaType: "image/png" }])).parts), ["task-1/file.png"]);
  });

  it("is not written twice when the same task is read again", async () => {
    const part = { raw: "YQ==", filename: "a.txt" };
    const first = places((await keep([part])).parts);
    assert.deepEqual(places((await keep([part])).parts), first);
    assert.deepEqual(places((await keep([{ ...part, raw: "Yg==" }])).parts), ["task-1/a-2.txt"]);
    assert.deepEqual(places((await keep([{ ...part, raw: "Yg==" }])).parts), ["task-1/a-2.txt"]);
  });

  it("stays apart when two results of one task are kept at once", async () => {
    const both = await Promise.all(["YQ==", "Yg=="].map((raw) => keep([{ raw, filename: "a.txt" }])));
    assert.deepEqual(
      both.flatMap(({ parts }) => places(parts)),
      ["task-1/a.txt", "task-1/a-2.txt"],
    );
  });

  it("lies in a folder of its task, whatever the peer calls that (X11)", async () => {
    for (const taskId of ["../../x", "CON", "x".repeat(5000), "a/b", "Ä"]) {
      const [place = ""] = places((await keep([{ raw: "", filename: "a" }], { taskId })).parts);
      assert.match(place, /^h-[0-9a-f]{64}\/a$/, taskId);
    }
    assert.equal((await readdir(join(dir.path, "a2a_files"))).length, 5);
  });

  it("lies in a folder of its message when there is no task", async () => {
    const { taskId: _, contextId: __, ...message } = callResult();
    const attachments = [{ artifactId: "message-7", parts: [{ raw: "", filename: "a" }] }];
    const { parts } = (await store.keep({ ...message, attachments })).received;
    assert.deepEqual(places(parts), ["message-7/a"]);
  });

  it("is bounded, and says how much more there was", async () => {
    const { parts, dropped } = await keep(Array.from({ length: 203 }, () => ({ url: "x:y" })));
    assert.deepEqual([parts.length, dropped], [200, 3]);
  });

  it("is told to be lost when the disk does not take it, and the reply is not", async () => {
    const full = (): Promise<never> => Promise.reject(new A2aError("FILE_FAILED", "cannot write it: disk full"));
    store = open({ ...createFilesPort(), writeAtomic: full });
    const { parts } = await keep([{ raw: "YQ==", filename: "a" }], { text: "y".repeat(100_000) });
    assert.deepEqual(parts, [
      {
        kind: "file",
        name: "a",
        mediaType: "application/octet-stream",
        bytes: 1,
        problem: "cannot write it: disk full",
      },
    ]);
  });
});
