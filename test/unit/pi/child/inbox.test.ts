import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { A2aError, isA2aError } from "../../../../src/core/platform/errors.ts";
import { createFilesPort, type FilesPort } from "../../../../src/core/platform/files.ts";
import { createLog, type Log } from "../../../../src/core/platform/log.ts";
import type { Part } from "../../../../src/core/protocol/types.ts";
import { createInbox, type Inbox } from "../../../../src/pi/child/inbox.ts";
import { TASK_ID } from "../../../support/builders.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

describe("the inbox of tasks", () => {
  let dir: TempDir;
  let log: Log;
  let inbox: Inbox;
  let cwd: string;
  const open = (files: FilesPort = createFilesPort()): Inbox => {
    log = createLog(createFakeClock(), () => "log-1");
    return createInbox({ files, log });
  };
  const receive = (parts: readonly Part[], more: { taskId?: string; signal?: AbortSignal } = {}) =>
    inbox.receive({ taskId: TASK_ID, cwd, parts, signal: new AbortController().signal, ...more });
  const refused = (code: string) => (error: unknown) => {
    assert.ok(isA2aError(error, "SESSION_UNAVAILABLE"), String(error));
    assert.ok(!error.message.includes(dir.path), error.message);
    assert.ok(error.message.includes(code), error.message);
    return true;
  };

  beforeEach(async () => {
    dir = await createTempDir();
    cwd = join(dir.path, "workspace");
    await mkdir(cwd);
    inbox = open();
  });
  afterEach(() => dir.remove());

  it("stores raw parts byte for byte, for their user alone, and tells where (W13)", async () => {
    const bytes = Uint8Array.from([0, 1, 254, 255]);
    const part = { raw: Buffer.from(bytes).toString("base64"), filename: "a.bin", mediaType: "application/x-unknown" };
    const stored = await receive([{ text: "look" }, part, { url: "https://x.test/a" }, { data: 1 }]);
    assert.deepEqual([...stored], [[part, `.a2a-inbox/${TASK_ID}/a.bin`]]);
    const path = join(cwd, ".a2a-inbox", TASK_ID, "a.bin");
    assert.deepEqual(Uint8Array.from(await readFile(path)), bytes);
    if (process.platform === "win32") return;
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(join(path, ".."))).mode & 0o777, 0o700);
  });

  it("makes nothing for a message without files", async () => {
    assert.equal((await receive([{ text: "a" }, { data: null }])).size, 0);
    assert.deepEqual(await readdir(cwd), []);
  });

  it("takes no name as it comes, and keeps equal names apart, also over turns (X11) [agent-files-in]", async () => {
    const names = ["../../x", "x", "X", "C:\\CON", undefined, undefined, "a\u0000/.."];
    const parts = names.map((name) => (name === undefined ? { raw: "" } : { raw: "YQ==", filename: name }));
    const paths = [...(await receive(parts)).values(), ...(await receive([{ raw: "", filename: "x" }])).values()];
    const prefix = `.a2a-inbox/${TASK_ID}/`;
    assert.deepEqual(
      paths.map((path) => path.slice(prefix.length)),
      ["x", "x-2", "X-3", "file_CON", "file", "file-2", "a", "x-4"],
    );
    assert.deepEqual(await readdir(cwd), [".a2a-inbox"]);
    assert.deepEqual(await readdir(dir.path), ["workspace"]);
  });

  it("names an unnamed file by its type", async () => {
    const stored = await receive([{ raw: "", mediaType: "application/pdf" }]);
    assert.deepEqual([...stored.values()], [`.a2a-inbox/${TASK_ID}/file.pdf`]);
  });

  it("hides itself from git", async () => {
    await receive([{ raw: "" }]);
    assert.equal(await readFile(join(cwd, ".a2a-inbox", TASK_ID, ".gitignore"), "utf8"), "*\n");
  });

  it("leaves nothing behind when the task has ended, and touches no other task's files", async () => {
    await receive([{ raw: "", filename: "a" }]);
    await receive([{ raw: "", filename: "a" }], { taskId: "task-00000000000000ff" });
    await inbox.discard(TASK_ID);
    assert.deepEqual(await readdir(join(cwd, ".a2a-inbox")), ["task-00000000000000ff"]);
    await inbox.discard("task-00000000000000ff");
    await inbox.discard("task-00000000000000ff");
    assert.deepEqual(await readdir(cwd), []);
  });

  it("leaves nothing behind when the task ends while its files are being stored", async () => {
    const abort = new AbortController();
    const files = createFilesPort();
    inbox = open({
      ...files,
      async writeAtomic(path, content) {
        await files.writeAtomic(path, content);
        abort.abort();
      },
    });
    const receiving = receive([{ raw: "" }, { raw: "" }], { signal: abort.signal });
    const discarding = inbox.discard(TASK_ID);
    await assert.rejects(receiving, (error) => isA2aError(error, "CANCELLED"));
    await discarding;
    assert.deepEqual(await readdir(cwd), []);
    assert.deepEqual(log.lines(), []);
  });

  it("stores nothing for a task that has been stopped", async () => {
    await assert.rejects(receive([{ raw: "" }], { signal: AbortSignal.abort() }), (error) =>
      isA2aError(error, "CANCELLED"),
    );
    assert.deepEqual(await readdir(cwd), []);
  });

  it("says so when the workspace does not take the files, without its path (W13)", async () => {
    await writeFile(join(cwd, ".a2a-inbox"), "a file");
    await assert.rejects(receive([{ raw: "" }]), refused("ENOTDIR"));
    await inbox.discard(TASK_ID);
    assert.deepEqual(await readdir(cwd), [".a2a-inbox"]);
  });

  it("says so when the disk is full, and removes what it had stored (W13)", async () => {
    const files = createFilesPort();
    inbox = open({
      ...files,
      writeAtomic(path, content) {
        if (!path.endsWith("b")) return files.writeAtomic(path, content);
        const cause = Object.assign(new Error(`ENOSPC: no space left, write '${path}'`), { code: "ENOSPC" });
        return Promise.reject(new A2aError("FILE_FAILED", `cannot write ${path}`, { cause }));
      },
    });
    await assert.rejects(
      receive([
        { raw: "", filename: "a" },
        { raw: "", filename: "b" },
      ]),
      refused("ENOSPC"),
    );
    await inbox.discard(TASK_ID);
    assert.deepEqual(await readdir(cwd), []);
  });

  it("writes and removes nothing through a link of its name (X11)", async () => {
    const target = join(dir.path, "home");
    await mkdir(join(target, "task-00000000000000cc"), { recursive: true });
    await symlink(target, join(cwd, ".a2a-inbox"));
    await assert.rejects(receive([{ raw: "" }]), refused(""));
    assert.deepEqual(await readdir(target), ["task-00000000000000cc"]);
    await inbox.discard(TASK_ID);
    await assert.rejects(inbox.sweep(cwd, Date.now() + 30 * DAY_MS));
    assert.deepEqual(await readdir(target), ["task-00000000000000cc"]);
  });

  it("removes what a killed process left behind, after a week", async () => {
    await receive([{ raw: "" }]);
    const root = join(cwd, ".a2a-inbox");
    await mkdir(join(root, "task-00000000000000cc"));
    await mkdir(join(root, "not-ours"));
    const old = (Date.now() - 2 * DAY_MS) / 1000;
    await utimes(join(root, "task-00000000000000cc"), old, old);
    await utimes(join(root, "not-ours"), old, old);
    await inbox.sweep(cwd, Date.now() + 6 * DAY_MS);
    assert.deepEqual(await readdir(root), ["not-ours", TASK_ID]);
  });
});
