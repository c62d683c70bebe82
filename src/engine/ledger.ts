// Owns the way of an event: decided (folded for later decisions), committed (stored), then visible. When the sink fails, what was
// decided since the last stored event never happened.

import { taskJson } from "../core/protocol/encode.ts";
import { isInterrupted, isTerminal } from "../core/protocol/task-state.ts";
import type { Part } from "../core/protocol/types.ts";
import type { Commit } from "./commit-queue.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { EndOfTask, KeptBodies, StoredEntry, StoredEvent } from "./event-sink.ts";
import { nextTime, placeOf, stampDraft } from "./event-stamp.ts";
import { followPieces, partialBefore } from "./partial-text.ts";
import { publish } from "./publish.ts";
import type { ArtifactEvent, TaskEvent } from "./task-event.ts";
import { foldEvent } from "./task-fold.ts";
import type { Draft } from "./task-machine.ts";
import { hasEnded, type TaskRecord } from "./task-record.ts";

export interface CommitHooks {
  done(bodies: KeptBodies): void;
  failed(): void;
  /** What it builds on was taken back. */
  dropped?(): void;
}

/** Decides these events of an acknowledged task, before a bad end what is left of its work. Nothing is decided after its end. */
export function say(parts: EngineParts, record: TaskRecord, drafts: readonly Draft[]): void {
  for (const draft of drafts) {
    if (hasEnded(record)) return;
    record.spoken = true;
    for (const each of withPartial(record, draft)) decide(parts, record, stampDraft(parts, record, each));
  }
}

function withPartial(record: TaskRecord, draft: Draft): readonly Draft[] {
  return draft.kind === "status" ? [...partialBefore(draft.state, record), draft] : [draft];
}

/** The same for the end after a failed write: visible even if the sink keeps failing, so that nobody waits for ever. */
export function sayAnyway(parts: EngineParts, record: TaskRecord, draft: Draft): void {
  if (hasEnded(record)) return;
  for (const each of withPartial(record, draft)) {
    const event = stampDraft(parts, record, each);
    const task = advance(record, event);
    const done = (bodies?: KeptBodies): void => publish(parts, record, event, task, bodies);
    commit(parts, record, event, { done, failed: () => done() });
  }
}

/** Hands an event that is decided already to the sink; the hooks say what follows. */
export function commit(
  { commits, store }: EngineParts,
  record: TaskRecord,
  stored: StoredEvent | undefined,
  hooks: CommitHooks,
): void {
  commits.add(new RecordCommit(record, stored && entryOf(record, stored, store !== undefined), hooks));
}

class RecordCommit implements Commit {
  readonly stored: StoredEntry | undefined;
  readonly #record: TaskRecord;
  readonly #generation: number;
  readonly #hooks: CommitHooks;

  constructor(record: TaskRecord, stored: StoredEntry | undefined, hooks: CommitHooks) {
    this.stored = stored;
    this.#record = record;
    this.#generation = record.generation;
    this.#hooks = hooks;
  }

  wanted(): boolean {
    return this.#record.generation === this.#generation;
  }

  done(bodies: KeptBodies): void {
    this.#hooks.done(bodies);
  }

  failed(): void {
    this.#hooks.failed();
  }

  dropped(): void {
    this.#hooks.dropped?.();
  }
}

/** What ends the task is kept with the whole of it. Called in the turn of the decision: `decided` is the fold up to `event`. */
function entryOf(record: TaskRecord, event: StoredEvent, isKept: boolean): StoredEntry {
  const ends = event.kind === "direct-reply" || (event.kind === "status" && isTerminal(event.status.state));
  if (!ends) return { event };
  const { decided: task, owner, ranAt } = record;
  record.json = isKept && event.kind !== "direct-reply" ? taskJson(task) : undefined;
  const end: EndOfTask = { task, owner, ranAt, json: record.json };
  return { event, end };
}

/** Folds `event` into what is decided and returns the fold. */
export function advance(record: TaskRecord, event: TaskEvent): TaskRecord["decided"] {
  followPieces(record.unfinished, event);
  record.decided = foldEvent(record.decided, event);
  record.decidedAt = event.at;
  return record.decided;
}

/** Ends what was submitted without a task: the direct Message is its only trace. */
export function replyDirectly(parts: EngineParts, record: TaskRecord, reply: readonly Part[]): void {
  const at = nextTime(parts.clock, record);
  const { contextId } = record.conversation;
  const message = { messageId: parts.ids.message(), role: "ROLE_AGENT", parts: reply, contextId } as const;
  record.withdrawn = true;
  commit(
    parts,
    record,
    { kind: "direct-reply", ...placeOf(record), at, owner: record.owner, message },
    {
      done(bodies) {
        record.window?.stop();
        for (const feed of record.feeds) feed.end("terminal");
        record.visible = undefined;
        // Stays in the table, unseen, so that its context is remembered.
        parts.table.finish(record, bodies.get(record.id));
        record.answerFirst?.({ kind: "message", message });
        record.answerFirst = undefined;
      },
      failed: () => lose(parts, record),
    },
  );
}

/** Takes back what was decided and not stored. */
export function rollBack(record: TaskRecord): void {
  record.generation += 1;
  record.json = undefined;
  record.withdrawn = false;
  if (record.visible === undefined) return;
  record.decided = record.visible;
  record.unfinished = new Set(record.visiblyUnfinished);
}

function decide(parts: EngineParts, record: TaskRecord, event: TaskEvent): void {
  if (event.kind === "status" && endsOrAsks(event.status.state))
    storeLiveText(parts, record, isTerminal(event.status.state));
  const task = advance(record, event);
  commit(parts, record, storedForm(record, event), {
    done: (bodies) => publish(parts, record, event, task, bodies),
    failed: () => lose(parts, record),
  });
}

function endsOrAsks(state: TaskRecord["decided"]["status"]["state"]): boolean {
  return isTerminal(state) || isInterrupted(state);
}

/** Live text is not stored piece by piece. What completes it is stored as the whole artifact, so the sink has it all. */
function storedForm(record: TaskRecord, event: TaskEvent): TaskEvent | undefined {
  if (event.kind !== "artifact") return event;
  const { artifactId } = event.artifact;
  if (event.provisional) {
    record.unstored.add(artifactId);
    return undefined;
  }
  const completesLiveText = record.unstored.delete(artifactId);
  return completesLiveText && event.append ? wholeArtifact(record, artifactId, event) : event;
}

/**
 * Live text that nobody completed is stored before the task ends or asks: what callers saw last is what is kept. At a question it
 * still lacks its last piece, also for whoever takes the task over.
 */
function storeLiveText(parts: EngineParts, record: TaskRecord, lastChunk: boolean): void {
  const at = nextTime(parts.clock, record);
  for (const artifactId of record.unstored) {
    const whole = wholeArtifact(record, artifactId, { ...placeOf(record), at });
    commit(parts, record, whole && { ...whole, lastChunk }, {
      done: () => undefined,
      failed: () => lose(parts, record),
    });
  }
  record.unstored.clear();
}

function wholeArtifact(
  record: TaskRecord,
  artifactId: string,
  frame: Pick<ArtifactEvent, "taskId" | "contextId" | "at">,
): ArtifactEvent | undefined {
  const artifact = record.decided.artifacts?.find((known) => known.artifactId === artifactId);
  if (artifact === undefined) return undefined;
  const { taskId, contextId, at } = frame;
  return { kind: "artifact", taskId, contextId, at, artifact, append: false, lastChunk: true, provisional: false };
}

/** What the sink failed to take never happened, and the task cannot go on. */
export function lose(parts: EngineParts, record: TaskRecord): void {
  rollBack(record);
  parts.onStoreFailure(record);
}
