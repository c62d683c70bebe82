// Task runners without an agent: one that a test drives step by step, and one that acts by the prefix of the message id, in the
// words of the official conformance suite.

import { type Clock, sleep } from "../../src/core/platform/clock.ts";
import type { RunOutcome, RunOutput, RunRequest, SteeringMessage, TaskRunner } from "../../src/core/ports.ts";
import type { Artifact, JsonObject, Part } from "../../src/core/protocol/types.ts";

/** One run of the driven runner. Each ending counts once; later ones do nothing. */
export interface RunHandle {
  readonly request: RunRequest;
  /** What came to a steerable run while it worked, oldest first; nothing of it is taken by itself. */
  readonly letters: readonly SteeringMessage[];
  /** True once the run has returned or thrown. */
  readonly over: () => boolean;
  emit(output: RunOutput): void;
  working(note?: string): void;
  /** A piece of text of the artifact `reply`; a whole one unless told otherwise. */
  text(text: string, how?: TextPiece): void;
  metadata(metadata: JsonObject): void;
  complete(note?: string): void;
  fail(reason: string): void;
  reject(reason: string): void;
  ask(question: string): void;
  askLogin(question: string): void;
  /** A direct Message. */
  reply(text: string): void;
  cancel(): void;
  throw(error: unknown): void;
  /** Does not end by itself when the signal aborts. */
  ignoreAbort(): void;
}

export interface TextPiece {
  readonly id?: string;
  readonly append?: boolean;
  readonly lastChunk?: boolean;
  readonly provisional?: boolean;
}

export interface DrivenRunner extends TaskRunner {
  /** Every run so far, in the order in which they began. */
  readonly runs: readonly RunHandle[];
  /** The oldest run that was not handed out yet; waits for it. */
  next(): Promise<RunHandle>;
}

export interface DrivenOptions {
  /** Its runs take messages while they work. */
  readonly steerable?: boolean;
}

/** A runner whose runs do what the test says, and end as `canceled` when their signal aborts. */
export function createDrivenRunner({ steerable = false }: DrivenOptions = {}): DrivenRunner {
  const runs: RunHandle[] = [];
  const unclaimed: RunHandle[] = [];
  const claims: ((handle: RunHandle) => void)[] = [];
  return {
    ...(steerable ? { steerable } : {}),
    runs,
    next() {
      const handle = unclaimed.shift();
      return handle === undefined ? new Promise((resolve) => claims.push(resolve)) : Promise.resolve(handle);
    },
    run(request, emit) {
      return new Promise((resolve, reject) => {
        const handle = createHandle(request, emit, resolve, reject);
        runs.push(handle);
        const claim = claims.shift();
        if (claim === undefined) unclaimed.push(handle);
        else claim(handle);
      });
    },
  };
}

function createHandle(
  request: RunRequest,
  emit: (output: RunOutput) => void,
  resolve: (outcome: RunOutcome) => void,
  reject: (error: unknown) => void,
): RunHandle {
  let over = false;
  const end = (outcome: RunOutcome): void => {
    over = true;
    resolve(outcome);
  };
  const onAbort = (): void => end({ kind: "canceled" });
  request.signal.addEventListener("abort", onAbort, { once: true });
  const letters: SteeringMessage[] = [];
  request.steering?.listen((letter) => letters.push(letter));
  return {
    request,
    letters,
    over: () => over,
    emit,
    working: (note) => emit(note === undefined ? { kind: "working" } : { kind: "working", note }),
    text: (text, how = {}) => emit(textOutput(text, how)),
    metadata: (metadata) => emit({ kind: "metadata", metadata }),
    complete: (note) => end(note === undefined ? { kind: "completed" } : { kind: "completed", note }),
    fail: (reason) => end({ kind: "failed", reason }),
    reject: (reason) => end({ kind: "rejected", reason }),
    ask: (question) => end({ kind: "input-required", question: [{ text: question }] }),
    askLogin: (question) => end({ kind: "auth-required", question: [{ text: question }] }),
    reply: (text) => end({ kind: "message", parts: [{ text }] }),
    cancel: () => end({ kind: "canceled" }),
    throw(error) {
      over = true;
      reject(error);
    },
    ignoreAbort: () => request.signal.removeEventListener("abort", onAbort),
  };
}

function textOutput(
  text: string,
  { id = "reply", append = false, lastChunk, provisional = false }: TextPiece,
): RunOutput {
  const artifact = { artifactId: id, parts: [{ text }] };
  return { kind: "artifact", artifact, append, lastChunk: lastChunk ?? !provisional, provisional };
}

interface ScriptContext {
  readonly request: RunRequest;
  readonly emit: (output: RunOutput) => void;
  readonly clock: Clock;
}

type Script = (context: ScriptContext) => RunOutcome | Promise<RunOutcome>;

const COMPLETED: RunOutcome = { kind: "completed" };
const FILE = { filename: "output.txt", mediaType: "text/plain" } as const;

/** Message id prefix -> behaviour; the longest prefix that matches counts. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  "tck-complete-task": () => ({ kind: "completed", note: "Hello from TCK" }),
  "tck-input-required": () => ({ kind: "input-required", question: [{ text: "What should be done?" }] }),
  "tck-artifact-text": artifactScript({ text: "Generated text content" }),
  "tck-artifact-file": artifactScript({ raw: "dGNr", ...FILE }),
  "tck-artifact-file-url": artifactScript({ url: "https://example.com/output.txt", ...FILE }),
  "tck-artifact-data": artifactScript({ data: { key: "value", count: 42 } }),
  "tck-message-response": () => ({ kind: "message", parts: [{ text: "Direct message response" }] }),
  "tck-reject-task": () => ({ kind: "rejected", reason: "rejected" }),
  "tck-stream-001": artifactScript({ text: "Stream hello from TCK" }),
  "tck-stream-003": artifactScript({ text: "Stream task lifecycle" }),
  "tck-stream-ordering-001": artifactScript({ text: "Ordered output" }),
  "tck-stream-artifact-text": artifactScript({ text: "Streamed text content" }),
  "tck-stream-artifact-file": artifactScript({ raw: "dGNr", ...FILE }),
  "tck-stream-artifact-chunked": chunkedScript,
  "test-resubscribe-message-id": waitingScript,
};

/** How long the script that is subscribed to again works: twice the suite's streaming timeout. */
const RESUBSCRIBE_MS = 4_000;

/** A runner that acts by the prefix of the message id; anything else completes at once. */
export function createPrefixRunner(clock: Clock): TaskRunner {
  const prefixes = Object.keys(SCRIPTS).sort((a, b) => b.length - a.length);
  return {
    async run(request, emit) {
      const prefix = prefixes.find((known) => request.message.messageId.startsWith(known));
      const script = prefix === undefined ? undefined : SCRIPTS[prefix];
      const outcome = await (script ?? SCRIPTS["tck-complete-task"])?.({ request, emit, clock });
      return request.signal.aborted ? { kind: "canceled" } : (outcome ?? COMPLETED);
    },
  };
}

function artifactScript(part: Part): Script {
  return ({ emit }) => {
    emit({ kind: "working" });
    emit(wholeArtifact({ artifactId: "output", parts: [part] }));
    return COMPLETED;
  };
}

function chunkedScript({ emit }: ScriptContext): RunOutcome {
  emit({ kind: "working" });
  emit({ ...wholeArtifact({ artifactId: "output", parts: [{ text: "chunk-1 " }] }), lastChunk: false });
  emit({ ...wholeArtifact({ artifactId: "output", parts: [{ text: "chunk-2" }] }), append: true });
  return COMPLETED;
}

async function waitingScript({ emit, clock, request }: ScriptContext): Promise<RunOutcome> {
  emit({ kind: "working" });
  await sleep(clock, RESUBSCRIBE_MS, request.signal);
  return COMPLETED;
}

function wholeArtifact(artifact: Artifact): Extract<RunOutput, { kind: "artifact" }> {
  return { kind: "artifact", artifact, append: false, lastChunk: true };
}
