// Owns which ended tasks a start has to know by their messages: those whose caller is not known to have the reply, as far as they ended
// shortly before their server did. Reads what is kept of them, the newest first, within bounds.

import { basename } from "node:path";
import { describeError } from "../../core/platform/errors.ts";
import type { JournalFiles } from "../../core/platform/journal-files.ts";
import { isObject } from "../../core/platform/json.ts";
import { decodeKeptMessage, decodeKeptTask } from "../../core/protocol/decode-kept.ts";
import type { RecoveredReply } from "../recovered-tasks.ts";
import { LOST_MS, MAX_LOST } from "../resends.ts";
import { decodeBody } from "./journal-line.ts";
import type { MergedEnd } from "./merge.ts";
import { type KeptLine, readLine } from "./segment.ts";

/** All that is read for it. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface UnheardDeps {
  readonly journalFiles: JournalFiles;
  /** The oldest first. */
  readonly ends: readonly MergedEnd<KeptLine>[];
  /** No line is later. */
  readonly lastAt: number;
  /** By task, its messages that were answered. */
  readonly marked: ReadonlyMap<string, ReadonlySet<string>>;
  readonly now: number;
}

/** What cannot be read is told in `problems`. Gives the oldest first. */
export async function unheardReplies(deps: UnheardDeps, problems: string[]): Promise<readonly RecoveredReply[]> {
  const replies: RecoveredReply[] = [];
  for (const { taskId, ownerKey, state, body } of newestUntold(deps)) {
    try {
      const kept = decodeBody(await readLine(deps.journalFiles, body));
      const marked = deps.marked.get(taskId) ?? new Set<string>();
      replies.push({ ...decodeReply(kept, state === undefined), ownerKey, marked });
    } catch (error) {
      problems.push(`${basename(body.segment.path)}: ${describeError(error)}`);
    }
  }
  return replies.reverse();
}

/** The hour for which callers may ask again does not run while nobody could. */
function newestUntold({ ends, lastAt, now }: UnheardDeps): MergedEnd<KeptLine>[] {
  const since = Math.min(now, lastAt) - LOST_MS;
  const untold: MergedEnd<KeptLine>[] = [];
  let bytes = 0;
  for (let at = ends.length - 1; at >= 0 && untold.length < MAX_LOST; at--) {
    const end = ends[at];
    if (end === undefined || end.at < since) break;
    if (end.told) continue;
    bytes += end.body.bytes;
    if (bytes > MOST_BYTES) break;
    untold.push(end);
  }
  return untold;
}

function decodeReply(kept: unknown, isDirect: boolean): Pick<RecoveredReply, "task" | "direct"> {
  if (!isDirect) return { task: decodeKeptTask(kept) };
  const { task, reply } = isObject(kept) ? kept : {};
  return { task: decodeKeptTask(task), direct: decodeKeptMessage(reply) };
}
