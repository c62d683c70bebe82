// The interfaces where the areas of the package meet. Types only: src/pi connects the implementations.

import type { StopSignal } from "./platform/stop-signal.ts";
import type { CallChain } from "./protocol/chain.ts";
import type { Artifact, JsonObject, Message, Part, Task, TaskState } from "./protocol/types.ts";

export type { CallChain } from "./protocol/chain.ts";

/** Who a request came from, after admission. Owns tasks and contexts. */
export interface Principal {
  /** `local`, `shared`, `peer:<name>`, `gateway:<key>`: the owner of everything this caller makes. */
  readonly key: string;
  /** For people and the audit: the peer's name, else `ip:<address>`. Never used for ownership. */
  readonly name: string;
  /** What the caller calls itself; unproven, for display and the audit only. One safe line. */
  readonly asserted?: string;
}

/** What a runner gets: one message of a caller, and where in a conversation it stands. */
export interface RunRequest {
  readonly taskId: string;
  readonly contextId: string;
  readonly caller: Principal;
  /** The message that starts (or, after a question, continues) this run. */
  readonly message: Message;
  /** Earlier messages of the same task, oldest first; empty for a new task. */
  readonly history: readonly Message[];
  /** True when this task was asked a question and `message` answers it: go on in the task's own conversation. */
  readonly resumes: boolean;
  /** The task before this one in the same context of the same caller: start from a copy of its conversation. */
  readonly previousTaskId?: string;
  /** The other tasks of this context and caller that were worked on, newest first, as far as they are kept; absent when there are none. */
  readonly earlier?: () => AsyncIterable<Task>;
  /** How the message came here; calls that the run makes go on from it. Absent for work that begins here. */
  readonly chain?: CallChain;
  /** The task's metadata so far; absent when it has none. */
  readonly metadata?: JsonObject;
  /** What the caller says while the run works; absent when the runner is not steerable. */
  readonly steering?: Steering;
  /** Aborts when the task was cancelled, its window closed, or the server stops. Run no further tool after that. */
  readonly signal: StopSignal;
}

/** One message for a task at work. It is stored and acknowledged. */
export interface SteeringMessage {
  readonly message: Message;
  /** The work goes on with it from now on; until then it counts as waiting. */
  taken(): void;
}

/** The messages of the caller that reach a run while it works: none is lost and none comes twice as long as the run closes this. */
export interface Steering {
  /** Hears each message once, oldest first: what waits already at once, later ones when they come. For one listener. */
  listen(hear: (message: SteeringMessage) => void): void;
  /**
   * Before the run ends: true when each message was taken, and from then on no more are accepted. False when one was not taken, or
   * is being stored and about to be heard; then the run has to go on with it.
   */
  close(): boolean;
}

/** What a runner may say while it works. A Message reply is only legal as an outcome, before any output. */
export type RunOutput =
  /** The task is WORKING; `note` shows in status.message (for example a tool's name). */
  | { readonly kind: "working"; readonly note?: string }
  /** A whole artifact, or a piece of one. `provisional` pieces are live text, replaced or completed later. */
  | {
      readonly kind: "artifact";
      readonly artifact: Artifact;
      readonly append: boolean;
      readonly lastChunk: boolean;
      readonly provisional?: boolean;
    }
  /** Merged into the task's metadata. */
  | { readonly kind: "metadata"; readonly metadata: JsonObject };

/** How a run ended. A runner that throws instead has failed. */
export type RunOutcome =
  | { readonly kind: "completed"; readonly note?: string }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "rejected"; readonly reason: string }
  /** The run stopped because its signal aborted. */
  | { readonly kind: "canceled" }
  /** The runner waits for its caller; the same task goes on with the answer. */
  | { readonly kind: "input-required"; readonly question: readonly Part[] }
  | { readonly kind: "auth-required"; readonly question: readonly Part[] }
  /** A direct Message reply instead of a task (A2A 1.0 §3.1.1). */
  | { readonly kind: "message"; readonly parts: readonly Part[] };

/** Does the work of tasks: a Pi child session, or a scripted one. */
export interface TaskRunner {
  /** Runs take messages while they work, by `RunRequest.steering`. Absent: such messages are refused. */
  readonly steerable?: true;
  /** Runs until the work has settled and everything it started is cleaned up. Must end soon after `signal` aborts. */
  run(request: RunRequest, emit: (output: RunOutput) => void): Promise<RunOutcome>;
}

/**
 * One line of the audit. What is absent is not known or does not apply; no field ever holds a credential. Texts are taken as they
 * are: whoever keeps the audit cuts them and takes the secrets out.
 */
export interface AuditEntry {
  /** `in`: a peer asked us; `out`: we asked a peer. */
  readonly direction: "in" | "out";
  /**
   * A message came or went out, and how that ended: two lines of one exchange. `resend` is a message that came again and led to the
   * task of the first; `call` is any other request with its end; `refused` was answered with an error. Of many equal `resend`, `call`
   * and `refused` the first are written and the others counted.
   */
  readonly event: "arrival" | "outcome" | "resend" | "call" | "refused";
  /** The peer's name, else `ip:<address>`. */
  readonly identity: string;
  /** What owns the caller's tasks; absent for whoever was not let in, and for peers that we call. */
  readonly principal?: string;
  /** What the caller says it is called; proves nothing. */
  readonly asserted?: string;
  /** In the words of A2A: SendMessage, GetTask, … */
  readonly method?: string;
  readonly taskId?: string;
  readonly contextId?: string;
  readonly traceparent?: string;
  readonly state?: TaskState;
  /** Milliseconds from the arrival. */
  readonly ms?: number;
  /** Of the request's body; of an outcome: of the reply, roughly. */
  readonly bytes?: number;
  /** Code of the error that was the answer. */
  readonly error?: string;
  /** Which kind of credential went along, or why none. */
  readonly credential?: string;
  /** What was said; only its beginning is kept. */
  readonly preview?: readonly Part[];
}

/** Keeps what was exchanged with peers, for people to read. */
export interface Audit {
  /** Takes the entry and returns at once; nothing that fails later is the caller's concern. */
  record(entry: AuditEntry): void;
}
