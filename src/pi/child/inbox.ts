// Owns the files that callers send: each task's raw parts lie in `.a2a-inbox/<task id>/` of the workspace, 0600 in a 0700 folder,
// until the task ends, so that its later turns find them too. What a child wants to keep it moves. The folder hides itself from git.

import { join, relative, sep } from "node:path";
import { A2aError } from "../../core/platform/errors.ts";
import type { FilesPort } from "../../core/platform/files.ts";
import type { Log } from "../../core/platform/log.ts";
import { extensionFor } from "../../core/protocol/media-type.ts";
import type { Part, RawPart } from "../../core/protocol/types.ts";
import { freeFileName, idFileName, nameKey, safeFileName } from "../../core/security/file-name.ts";
import type { StoredParts } from "./prompt-text.ts";

const FOLDER = ".a2a-inbox";
const TASK_FOLDER = /^task-[0-9a-f]{16}$/;
const HIDES_ITSELF = ".gitignore";
/** What a killed process left behind is nobody's any more. */
const LEFT_BEHIND_MS = 7 * 24 * 60 * 60 * 1000;

export interface Delivery {
  readonly taskId: string;
  /** The child's folder. */
  readonly cwd: string;
  readonly parts: readonly Part[];
  /** Once it aborts nothing more is made. */
  readonly signal: AbortSignal;
}

export interface Inbox {
  /** Stores the raw parts. Throws SESSION_UNAVAILABLE, which names no path, when the workspace does not take one of them. */
  receive(delivery: Delivery): Promise<StoredParts>;
  /** The task has ended: its files go, also those that a process before this one stored in `cwd`. Never throws. */
  discard(taskId: string, cwd?: string): Promise<void>;
  /** Resolves when no file is being stored or removed. */
  idle(): Promise<void>;
  /** Removes what processes that were killed have left in this workspace. */
  sweep(cwd: string, now: number): Promise<void>;
}

interface InboxDeps {
  readonly files: FilesPort;
  readonly log: Log;
}

/** What one task has received: its folders (more than one when the workspace was changed), and the work that is under way. */
interface Box {
  readonly folders: Set<string>;
  work: Promise<unknown>;
}

export function createInbox(deps: InboxDeps): Inbox {
  const boxes = new Map<string, Box>();
  const removals = new Set<Promise<void>>();
  return {
    async receive(delivery) {
      const raw = delivery.parts.filter((part) => "raw" in part);
      if (raw.length === 0) return new Map();
      if (delivery.signal.aborted) throw new A2aError("CANCELLED", "the task was stopped");
      const folder = join(delivery.cwd, FOLDER, idFileName(delivery.taskId));
      const work = store(deps, delivery, folder, raw);
      const folders = boxes.get(delivery.taskId)?.folders ?? new Set();
      boxes.set(delivery.taskId, { folders: folders.add(folder), work });
      return await work;
    },
    async discard(taskId, cwd) {
      const box = boxes.get(taskId);
      boxes.delete(taskId);
      const removal = Promise.resolve(box?.work)
        .catch(() => undefined)
        .then(() => Promise.all([...(box?.folders ?? [])].map((folder) => removeFolder(deps.files, folder))))
        .then(() => removeOlder(deps, taskId, cwd))
        .then(() => undefined)
        .catch((error: unknown) => void deps.log.fault("removing the files of a task", error));
      removals.add(removal);
      await removal.finally(() => removals.delete(removal));
    },
    async idle() {
      await Promise.all(removals);
    },
    sweep: (cwd, now) => sweep(deps, cwd, now),
  };
}

async function store(
  { files, log }: InboxDeps,
  { cwd, signal }: Delivery,
  folder: string,
  parts: readonly RawPart[],
): Promise<StoredParts> {
  try {
    await openFolder(files, cwd, folder);
    const taken = new Set((await files.list(folder)).map(nameKey));
    const stored = new Map<Part, string>();
    for (const part of parts) {
      if (signal.aborted) throw new A2aError("CANCELLED", "the task was stopped");
      const wanted = safeFileName(part.filename ?? "", `file${extensionFor(part.mediaType)}`);
      const name = freeFileName(wanted, (candidate) => taken.has(nameKey(candidate)));
      taken.add(nameKey(name));
      await files.writeAtomic(join(folder, name), Buffer.from(part.raw, "base64"));
      stored.set(part, relative(cwd, join(folder, name)).split(sep).join("/"));
    }
    return stored;
  } catch (error) {
    if (signal.aborted) throw error;
    log.fault("storing the files of a message", error);
    const why = reasonCode(error);
    const text = `the files of the message could not be stored in this agent's workspace${why && ` (${why})`}`;
    throw new A2aError("SESSION_UNAVAILABLE", text, {
      cause: error,
      hint: "The workspace must be a folder that this agent may write to.",
    });
  }
}

/** The operating system's word, such as ENOSPC; its text would name paths of this machine. */
function reasonCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
}

async function openFolder(files: FilesPort, cwd: string, folder: string): Promise<void> {
  await refuseLink(files, cwd, join(folder, ".."));
  await files.ensureDir(folder);
  await refuseLink(files, cwd, folder);
  await files.writeAtomic(join(folder, HIDES_ITSELF), "*\n");
}

/** A repository may hold a link of this name; nothing is written or removed through it. */
async function refuseLink(files: FilesPort, cwd: string, folder: string): Promise<void> {
  const real = await files.realPath(folder);
  const expected = join((await files.realPath(cwd)) ?? cwd, relative(cwd, folder));
  if (real === undefined || real === expected) return;
  throw new A2aError("FILE_FAILED", `${folder} is a link that leads to ${real}`);
}

/** A task that was asked a question may have been taken over from a process that has quit. */
async function removeOlder({ files }: InboxDeps, taskId: string, cwd: string | undefined): Promise<void> {
  if (cwd === undefined || !TASK_FOLDER.test(taskId)) return;
  const folder = join(cwd, FOLDER, taskId);
  if ((await files.stat(folder))?.kind !== "folder") return;
  await refuseLink(files, cwd, folder);
  await removeFolder(files, folder);
}

async function removeFolder(files: FilesPort, folder: string): Promise<void> {
  await files.removeTree(folder);
  await files.removeIfEmpty(join(folder, ".."));
}

async function sweep({ files }: InboxDeps, cwd: string, now: number): Promise<void> {
  const root = join(cwd, FOLDER);
  const names = (await files.list(root)).filter((name) => TASK_FOLDER.test(name));
  if (names.length === 0) return;
  await refuseLink(files, cwd, root);
  for (const name of names) {
    const info = await files.stat(join(root, name));
    if (info?.kind === "folder" && info.modifiedAt < now - LEFT_BEHIND_MS) await removeFolder(files, join(root, name));
  }
}
