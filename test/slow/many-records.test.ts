// A journal of a million records, in which garbage stands here and there: a server starts on it within a bounded heap, finds what was
// whole, and makes the files as small as what it keeps.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { lineBytes } from "../support/journal-lines.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";

const READER = fileURLToPath(new URL("fixtures/many-records.ts", import.meta.url));
const run = promisify(execFile);

const RECORDS = 1_000_000;
const PER_FILE = 25_000;
/** Of the reader, in MiB: twice what it takes. */
const HEAP_MB = 1_024;
const owner = { key: "local", name: "ip:127.0.0.1" };

interface Found {
  readonly total: number;
  readonly asking: readonly string[];
  readonly newest: string;
  readonly readyMs: number;
  readonly stuckMs: number;
  readonly rssMb: number;
  readonly bytes: number;
  readonly problems: readonly string[];
  readonly log: readonly string[];
}

const idOf = (n: number): string => `task-${n.toString(16).padStart(16, "0")}`;

/** The whole of a finished task, as most lines are. */
function endLine(n: number, at: number): Buffer {
  const [taskId, contextId, timestamp] = [idOf(n), `ctx-${idOf(n).slice(5)}`, new Date(at).toISOString()];
  const status = { state: "TASK_STATE_COMPLETED", timestamp } as const;
  const message = { messageId: `m-${n}`, role: "ROLE_USER", parts: [{ text: "do it" }], taskId, contextId } as const;
  const artifacts = [{ artifactId: "reply", parts: [{ text: "done" }] }];
  const task = { id: taskId, contextId, status, artifacts, history: [message] };
  return lineBytes({ event: { kind: "status", taskId, contextId, at, status }, end: { task, owner, ranAt: at } }, n);
}

/** A task that waits for its caller since the beginning. */
function questionLines(n: number, at: number): readonly Buffer[] {
  const frame = { taskId: idOf(n), contextId: "ctx-0123456789abcdef", at };
  const message = { messageId: "q", role: "ROLE_USER", parts: [{ text: "ask me" }] } as const;
  const statusOf = (state: "TASK_STATE_SUBMITTED" | "TASK_STATE_INPUT_REQUIRED") => {
    return { state, timestamp: new Date(at).toISOString() };
  };
  const submitted = { kind: "submitted", ...frame, owner, detached: true, message } as const;
  return [
    lineBytes({ event: { ...submitted, status: statusOf("TASK_STATE_SUBMITTED") } }, n),
    lineBytes({ event: { kind: "status", ...frame, status: statusOf("TASK_STATE_INPUT_REQUIRED") } }, n + 1),
  ];
}

async function writeJournal(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  const from = Date.now() - RECORDS;
  for (let n = 2; n < RECORDS; ) {
    const file = await open(join(folder, `old.${Math.floor(n / PER_FILE)}.jsonl`), "w", 0o600);
    const lines: Buffer[] = n === 2 ? [...questionLines(0, from)] : [];
    for (const end = Math.min(RECORDS, (Math.floor(n / PER_FILE) + 1) * PER_FILE); n < end; n++) {
      lines.push(endLine(n, from + n));
      if (n % 1_000 === 500) lines.push(Buffer.from("garbage \0 that nobody wrote\n"));
    }
    await file.writeFile(Buffer.concat(lines));
    await file.close();
  }
}

describe("a journal of a million records", function () {
  this.timeout(600_000);
  let dir: TempDir;
  before(async () => {
    dir = await createTempDir();
  });
  after(() => dir.remove());

  it("is read within a bounded heap, and shrinks to what is kept", async () => {
    const folder = join(dir.path, "a2a_tasks");
    await writeJournal(folder);
    const args = ["--import", "tsx", `--max-old-space-size=${HEAP_MB}`, READER, folder];
    const { stdout } = await run(process.execPath, args, { env: { ...process.env, NODE_V8_COVERAGE: "" } });
    const found: Found = JSON.parse(stdout);
    const { readyMs, stuckMs, rssMb, bytes } = found;
    process.stdout.write(
      `      ready after ${readyMs} ms, held up others for ${stuckMs} ms, ${rssMb} MiB, ${bytes} bytes left\n`,
    );
    assert.deepEqual(found.asking, [idOf(0)]);
    assert.equal(found.newest, idOf(RECORDS - 1));
    assert.ok(found.total >= 9_000 && found.total <= 10_001, `${found.total} tasks`);
    assert.equal(found.problems.length, RECORDS / PER_FILE);
    assert.match(found.problems[0] ?? "", /^25 lines of old\.0\.jsonl are damaged/);
    assert.deepEqual(found.log, []);
    assert.ok(bytes < 30_000_000, `${bytes} bytes`);
  });
});
