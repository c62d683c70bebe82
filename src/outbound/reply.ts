// Owns what a call has received so far: the fold of tasks and stream events into state, ids, reply and newest line. Pure data in
// memory, bounded; knows nothing of connections. After a terminal state nothing changes any more.

import { A2aError } from "../core/platform/errors.ts";
import { isInterrupted, isTerminal } from "../core/protocol/task-state.ts";
import type {
  Artifact,
  JsonObject,
  Message,
  Part,
  StreamResponse,
  Task,
  TaskArtifactUpdate,
  TaskState,
  TaskStatus,
} from "../core/protocol/types.ts";
import { isAside, statusKind } from "./asides.ts";
import { type Received, replyAttachments, replyText, type WorkingNote } from "./reply-text.ts";

const MAX_BYTES = 16 * 1024 * 1024;
const LINE_CHARS = 400;

/** What is known of the task; absent until the peer has said it. */
export interface ReplyStand {
  readonly taskId?: string;
  readonly contextId?: string;
  readonly state?: TaskState;
  readonly timestamp?: string;
  /** The newest line of text or note, raw. */
  readonly line?: string;
}

export interface ReplyFold {
  /** PEER_BAD_REPLY when all that was received is over 16 MiB. */
  add(response: StreamResponse): void;
  stand(): ReplyStand;
  /** True when the task has ended, waits for its caller, or the peer answered with a Message. */
  settled(): boolean;
  text(): string;
  attachments(): readonly Artifact[];
}

/** What is known of the question that the message answers. */
export interface AnsweredQuestion {
  /** Timestamp of the status that asked; undefined when it is not known. */
  readonly askedAt: string | undefined;
}

export function createReplyFold(answered?: AnsweredQuestion): ReplyFold {
  const fold = new Fold(answered);
  return {
    add: (response) => fold.add(response),
    stand: () => fold.stand,
    settled: () => fold.settled(),
    text: () => replyText(fold.received()),
    attachments: () => replyAttachments(fold.received()),
  };
}

interface HeldArtifact {
  artifact: Artifact;
  parts: Part[];
}

class Fold {
  stand: ReplyStand = {};
  private readonly artifacts = new Map<string, HeldArtifact>();
  private working: WorkingNote[] = [];
  /** What the agent wants to know, told before the state that waits for it. */
  private question: Message | undefined;
  private closing: Message | undefined;
  private direct: Message | undefined;
  private history: readonly Message[] = [];
  private bytes = 0;
  private tail = "";
  private readonly answered: AnsweredQuestion | undefined;

  constructor(answered: AnsweredQuestion | undefined) {
    this.answered = answered;
  }

  settled(): boolean {
    const { state } = this.stand;
    return state !== undefined && (isTerminal(state) || isInterrupted(state));
  }

  received(): Received {
    const artifacts = [...this.artifacts.values()].map(({ artifact, parts }) => ({ ...artifact, parts }));
    return {
      state: this.stand.state,
      artifacts,
      working: this.working,
      history: this.history,
      ...(this.closing === undefined ? {} : { closing: this.closing }),
      ...(this.direct === undefined ? {} : { direct: this.direct }),
    };
  }

  add(response: StreamResponse): void {
    const { state } = this.stand;
    if (state !== undefined && isTerminal(state)) return;
    if ("task" in response) this.addTask(response.task);
    else if ("message" in response) this.addMessage(response.message);
    else if ("statusUpdate" in response) {
      const { taskId, contextId, status, metadata } = response.statusUpdate;
      if (this.isOurs(taskId, contextId)) this.addStatus(status, metadata);
    } else if (this.isOurs(response.artifactUpdate.taskId, response.artifactUpdate.contextId)) {
      this.addArtifact(response.artifactUpdate);
    }
    if (this.bytes > MAX_BYTES) {
      throw new A2aError("PEER_BAD_REPLY", `the reply is larger than ${MAX_BYTES / 1024 / 1024} MiB`, {
        hint: "Ask the peer for less at a time.",
      });
    }
  }

  /** A snapshot: what it holds replaces what was pieced together before. */
  private addTask(task: Task): void {
    if (!this.isOurs(task.id, task.contextId)) return;
    const status = this.statusOf(task);
    for (const artifact of task.artifacts ?? []) {
      this.addArtifact({ taskId: "", contextId: "", artifact, append: false, lastChunk: true });
    }
    if (task.history !== undefined) {
      this.bytes += sizeOf(task.history) - sizeOf(this.history);
      this.history = task.history;
    }
    this.addStatus(status);
  }

  /**
   * Some peers begin the stream of an answer with the task as it was before: a snapshot that still asks the question which was
   * just answered says that the task is at work again.
   */
  private statusOf({ status }: Task): TaskStatus {
    if (this.answered === undefined || !isInterrupted(status.state)) return status;
    const { askedAt } = this.answered;
    const isOld = askedAt === undefined ? this.stand.state === undefined : status.timestamp === askedAt;
    return isOld ? { state: "TASK_STATE_WORKING" } : status;
  }

  private addMessage(message: Message): void {
    if (this.stand.taskId !== undefined) {
      // Some peers send words of the agent between the events of a task.
      this.addWorking({ message, piece: false });
      return;
    }
    this.direct = message;
    this.bytes += sizeOf([message]);
    this.isOurs(message.taskId ?? "", message.contextId ?? "");
    this.stand = { ...this.stand, state: "TASK_STATE_COMPLETED" };
    this.setLine(lastText(message.parts));
  }

  private addStatus(status: TaskStatus, metadata?: JsonObject): void {
    const { state, timestamp, message } = status;
    this.stand = { ...this.stand, state, ...(timestamp === undefined ? {} : { timestamp }) };
    this.closing = isInterrupted(state) ? this.question : undefined;
    this.question = undefined;
    if (message === undefined) return;
    const kind = statusKind(metadata, message);
    if (kind === "aside") return;
    if (isTerminal(state) || isInterrupted(state)) {
      this.closing = message;
      this.bytes += sizeOf([message]);
      this.setLine(lastText(message.parts));
    } else if (kind === "question") {
      this.question = message;
      this.bytes += sizeOf([message]);
    } else this.addWorking({ message, piece: kind === "piece" });
  }

  private addWorking(note: WorkingNote): void {
    const { message } = note;
    const last = this.working.at(-1)?.message;
    const text = lastText(message.parts);
    if (text === undefined) return;
    this.setLine(text);
    const isRepeat = last?.messageId === message.messageId && lastText(last.parts) === text;
    if (isRepeat && message.messageId !== "") return;
    this.working.push(note);
    this.bytes += sizeOf([message]);
  }

  private addArtifact({ artifact, append }: TaskArtifactUpdate): void {
    const held = this.artifacts.get(artifact.artifactId);
    if (held !== undefined && append) {
      for (const part of artifact.parts) held.parts.push(part);
      this.bytes += sizeOfParts(artifact.parts);
    } else {
      this.bytes -= held === undefined ? 0 : sizeOf([{ ...held.artifact, parts: held.parts }]);
      this.artifacts.set(artifact.artifactId, { artifact, parts: [...artifact.parts] });
      this.bytes += sizeOf([artifact]);
      this.tail = "";
    }
    const text = lastText(artifact.parts);
    if (text === undefined) return;
    this.tail = (this.tail + text.slice(-LINE_CHARS)).slice(-LINE_CHARS);
    this.setLine(this.tail);
  }

  /** Takes over ids as the peer names them; events of another task are not ours. */
  private isOurs(taskId: string, contextId: string): boolean {
    const known = this.stand.taskId;
    if (known !== undefined && taskId !== "" && taskId !== known) return false;
    this.stand = {
      ...this.stand,
      ...(taskId === "" ? {} : { taskId }),
      ...(contextId === "" ? {} : { contextId }),
    };
    return true;
  }

  private setLine(text: string | undefined): void {
    const line = text
      ?.slice(-LINE_CHARS)
      .split(/[\r\n]+/)
      .findLast((one) => one.trim() !== "");
    if (line !== undefined) this.stand = { ...this.stand, line };
  }
}

function lastText(parts: readonly Part[]): string | undefined {
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index];
    if (part !== undefined && "text" in part && part.text !== "" && !isAside(part)) return part.text;
  }
  return undefined;
}

/** What these take in memory, roughly: the length of all that the peer may make long, and some bytes for each. */
function sizeOf(holders: readonly (Artifact | Message)[]): number {
  let bytes = 0;
  for (const { parts, ...rest } of holders) bytes += 100 + JSON.stringify(rest).length + sizeOfParts(parts);
  return bytes;
}

function sizeOfParts(parts: readonly Part[]): number {
  let bytes = 0;
  for (const { mediaType = "", filename = "", metadata, ...content } of parts) {
    bytes += 100 + mediaType.length + filename.length + contentSize(content);
    if (metadata !== undefined) bytes += JSON.stringify(metadata).length;
  }
  return bytes;
}

function contentSize(part: Part): number {
  if ("text" in part) return part.text.length;
  if ("raw" in part) return part.raw.length;
  if ("url" in part) return part.url.length;
  return JSON.stringify(part.data).length;
}
