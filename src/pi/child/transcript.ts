// Owns where a child's conversation is kept: one real Pi session file per task below <agentDir>/a2a_sessions, 0600 in a 0700
// folder, so that a stalled or killed child leaves its steps behind. Never writes into another task's file.

import { join } from "node:path";
import type { SessionManager } from "@mariozechner/pi-coding-agent";
import * as Pi from "@mariozechner/pi-coding-agent";
import { isoTime } from "../../core/platform/clock.ts";
import type { FilesPort } from "../../core/platform/files.ts";
import type { Log } from "../../core/platform/log.ts";
import { continueTranscript } from "./transcript-copy.ts";

/** Long conversations hold the files that tools have read. */
const MAX_TRANSCRIPT_BYTES = 256 * 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;
const OF_A_TASK = /_task-[0-9a-z]+\.jsonl$/;

export interface TranscriptRequest {
  readonly taskId: string;
  /** The task of the same context whose conversation goes on. */
  readonly previousTaskId?: string;
  /** True when the task goes on in its own file, after a question. */
  readonly resumes: boolean;
  /** False: the conversation is kept in memory and is gone with the child. */
  readonly keep: boolean;
  readonly cwd: string;
  readonly agentDir: string;
  readonly now: number;
}

export interface Transcript {
  readonly manager: SessionManager;
  /** True when there is an earlier conversation that could not be given to the child. */
  readonly forgets: boolean;
  /** Removes the file again when nothing was said in it. */
  tidy(): Promise<void>;
}

interface TranscriptDeps {
  readonly files: FilesPort;
  readonly log: Log;
}

/** Throws FILE_FAILED when the file cannot be made; a conversation that cannot be read is forgotten instead, and logged. */
export async function openTranscript(deps: TranscriptDeps, request: TranscriptRequest): Promise<Transcript> {
  const { taskId, previousTaskId, resumes, cwd } = request;
  const source = resumes ? taskId : previousTaskId;
  if (!request.keep) return inMemory(cwd, source !== undefined);
  const folder = transcriptFolder(request.agentDir);
  await deps.files.ensureDir(folder);
  const earlier = source === undefined ? undefined : await findTranscript(deps.files, folder, source);
  if (resumes && earlier !== undefined) return opened(Pi.SessionManager.open(earlier, folder, cwd));
  const path = join(folder, `${isoTime(request.now).replaceAll(/[:.]/g, "-")}_${taskId}.jsonl`);
  const header = { ...Pi.SessionManager.inMemory(cwd).getHeader(), parentSession: earlier };
  const copy = earlier === undefined ? undefined : await copyOf(deps, earlier, header);
  if (copy === undefined) return openNew(deps.files, path, folder, cwd, source !== undefined);
  await deps.files.writeAtomic(path, copy);
  return opened(Pi.SessionManager.open(path, folder, cwd));
}

/**
 * Removes transcripts older than `days`; 0 keeps them for ever. Other sessions in the folder stay: Pi puts those there that a person
 * begins from a transcript. What cannot be removed keeps nothing else; the first reason is thrown at the end.
 */
export async function sweepTranscripts(files: FilesPort, agentDir: string, days: number, now: number): Promise<void> {
  if (days <= 0) return;
  const folder = transcriptFolder(agentDir);
  const failures: unknown[] = [];
  for (const name of await files.list(folder)) {
    if (!OF_A_TASK.test(name)) continue;
    await removeIfOlder(files, join(folder, name), now - days * DAY_MS).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function removeIfOlder(files: FilesPort, path: string, than: number): Promise<void> {
  const info = await files.stat(path);
  if (info?.kind === "file" && info.modifiedAt < than) await files.remove(path);
}

/** The newest transcript of each task, by the task's id; names only. */
export async function transcriptNames(files: FilesPort, agentDir: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const name of await files.list(transcriptFolder(agentDir))) {
    const taskId = /_(.+)\.jsonl$/.exec(name)?.[1];
    if (taskId !== undefined) names.set(taskId, name);
  }
  return names;
}

function transcriptFolder(agentDir: string): string {
  return join(agentDir, "a2a_sessions");
}

async function findTranscript(files: FilesPort, folder: string, taskId: string): Promise<string | undefined> {
  const names = await files.list(folder);
  const name = names.findLast((candidate) => candidate.endsWith(`_${taskId}.jsonl`));
  return name === undefined ? undefined : join(folder, name);
}

async function copyOf({ files, log }: TranscriptDeps, path: string, header: object): Promise<string | undefined> {
  try {
    const source = await files.readText(path, { maxBytes: MAX_TRANSCRIPT_BYTES });
    return source === undefined ? undefined : continueTranscript(source, header);
  } catch (error) {
    log.fault("reading the transcript of the conversation so far", error);
    return undefined;
  }
}

/**
 * A new file that is private from its first byte. 0.73.1 writes the header itself, with the first answer, and adds to a file that
 * is there; the current Pi line refuses such a file, but takes one that has its header.
 */
async function openNew(
  files: FilesPort,
  path: string,
  folder: string,
  cwd: string,
  forgets: boolean,
): Promise<Transcript> {
  const startsWithHeader = "ModelRuntime" in Pi;
  const start = startsWithHeader ? `${JSON.stringify(Pi.SessionManager.inMemory(cwd).getHeader())}\n` : "";
  if (startsWithHeader) await files.writeAtomic(path, start);
  const manager = Pi.SessionManager.open(path, folder, cwd);
  if (!startsWithHeader) await files.writeAtomic(path, start);
  const tidy = async (): Promise<void> => {
    if ((await files.stat(path))?.size === Buffer.byteLength(start)) await files.remove(path);
  };
  return { manager, forgets, tidy };
}

function opened(manager: SessionManager): Transcript {
  return { manager, forgets: false, tidy: () => Promise.resolve() };
}

function inMemory(cwd: string, forgets: boolean): Transcript {
  return { manager: Pi.SessionManager.inMemory(cwd), forgets, tidy: () => Promise.resolve() };
}
