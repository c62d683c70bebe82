// Owns the files that peers send: `<agentDir>/a2a_files/<task>/<name>`, 0600 in a 0700 folder, under names that are safe whatever the
// peer called them. What is there already with the same content is not written again; urls are named, never fetched.

import { join } from "node:path";
import { describeError } from "../../core/platform/errors.ts";
import type { FilesPort } from "../../core/platform/files.ts";
import { BINARY, extensionFor } from "../../core/protocol/media-type.ts";
import type { Artifact, Part } from "../../core/protocol/types.ts";
import { idFileName, nameKey, numberedName, safeFileName } from "../../core/security/file-name.ts";
import type { CallResult } from "../../outbound/client-types.ts";

/** A peer may send a hundred thousand parts; nobody wants as many files. */
const MAX_PARTS = 200;

/** One part that is no text: what it is, and where. Name, type and url are the peer's words. */
export interface ReceivedPart {
  readonly kind: "file" | "data" | "url";
  readonly name: string;
  readonly mediaType: string;
  /** Absent for urls. */
  readonly bytes?: number;
  /** Where it was saved. */
  readonly path?: string;
  /** Why it was not saved. */
  readonly problem?: string;
  readonly url?: string;
  /** The JSON text of data. */
  readonly json?: string;
}

export interface Received {
  readonly parts: readonly ReceivedPart[];
  /** How many more there were, of which nothing was kept. */
  readonly dropped: number;
}

export interface ReceivedFiles {
  /** Saves what came with a result. Never throws: what cannot be saved is said so. */
  save(result: CallResult): Promise<Received>;
}

export function createReceivedFiles(files: FilesPort, agentDir: string): ReceivedFiles {
  let last: Promise<unknown> = Promise.resolve();
  return {
    save(result) {
      // One after another: two results of one task must not choose the same free name.
      const saving = last.then(() => saveAll(files, agentDir, result));
      last = saving;
      return saving;
    },
  };
}

async function saveAll(files: FilesPort, agentDir: string, result: CallResult): Promise<Received> {
  const all = result.attachments.flatMap((artifact) => artifact.parts.map((part) => ({ artifact, part })));
  const folder = join(agentDir, "a2a_files", idFileName(folderId(result)));
  const parts: ReceivedPart[] = [];
  for (const { artifact, part } of all.slice(0, MAX_PARTS)) {
    const received = describe(artifact, part);
    const content = contentOf(part);
    parts.push(content === undefined ? received : await save(files, folder, received, content));
  }
  return { parts, dropped: all.length - parts.length };
}

/** A reply without a task has at least the id of its message. */
function folderId({ taskId, contextId, attachments }: CallResult): string {
  return taskId ?? contextId ?? attachments[0]?.artifactId ?? "";
}

function describe({ artifactId, name: title }: Artifact, part: Part): ReceivedPart {
  const mediaType = part.mediaType ?? ("data" in part ? "application/json" : BINARY);
  if ("data" in part) {
    const json = JSON.stringify(part.data, undefined, 2);
    return {
      kind: "data",
      name: part.filename ?? `${title ?? artifactId}.json`,
      mediaType,
      bytes: Buffer.byteLength(json),
      json,
    };
  }
  const name = part.filename ?? (title === undefined ? "" : title + missingExtension(title, mediaType));
  if ("url" in part) return { kind: "url", name, mediaType, url: part.url };
  return { kind: "file", name: name === "" ? `file${extensionFor(mediaType)}` : name, mediaType };
}

function missingExtension(title: string, mediaType: string): string {
  return /\.\w{1,8}$/.test(title) ? "" : extensionFor(mediaType);
}

function contentOf(part: Part): Buffer | undefined {
  if ("raw" in part) return Buffer.from(part.raw, "base64");
  return "data" in part ? Buffer.from(JSON.stringify(part.data, undefined, 2)) : undefined;
}

async function save(files: FilesPort, folder: string, part: ReceivedPart, content: Buffer): Promise<ReceivedPart> {
  const described = { ...part, bytes: content.byteLength };
  try {
    const fallback = part.kind === "data" ? "data.json" : `file${extensionFor(part.mediaType)}`;
    return { ...described, path: await keep(files, folder, safeFileName(part.name, fallback), content) };
  } catch (error) {
    return { ...described, problem: describeError(error) };
  }
}

/** Under the first number whose file is not there, or has this content. */
async function keep(files: FilesPort, folder: string, wanted: string, content: Buffer): Promise<string> {
  await files.ensureDir(folder);
  const there = new Map((await files.list(folder)).map((name) => [nameKey(name), name]));
  for (let count = 1; ; count++) {
    const name = numberedName(wanted, count);
    const old = there.get(nameKey(name));
    const path = join(folder, old ?? name);
    if (old !== undefined && !(await holds(files, path, content))) continue;
    if (old === undefined) await files.writeAtomic(path, content);
    return path;
  }
}

async function holds(files: FilesPort, path: string, content: Buffer): Promise<boolean> {
  const info = await files.stat(path);
  if (info?.kind !== "file" || info.size !== content.byteLength) return false;
  const bytes = await files.readBytes(path, { maxBytes: content.byteLength });
  return bytes !== undefined && content.equals(bytes);
}
