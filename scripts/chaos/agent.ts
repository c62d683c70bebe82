// Owns the agent of the chaos run: what it does is the first word of the message, and what it says is the message.

import { type Clock, sleep } from "../../src/core/platform/clock.ts";
import type { StopSignal } from "../../src/core/platform/stop-signal.ts";
import type { RunOutcome, RunOutput, RunRequest, TaskRunner } from "../../src/core/ports.ts";
import { partsToText } from "../../src/core/protocol/text.ts";

/** say: at once. slow: takes a moment. pieces: in several artifacts and much live text. big: a large reply. ask: asks first. */
export type Kind = "say" | "slow" | "pieces" | "big" | "ask" | "hold" | "fail" | "direct" | "answer";

const COMPLETED: RunOutcome = { kind: "completed" };
const BIG = "0123456789abcdef".repeat(1_500);
/** What a task went through takes more than half of what it is in the end: files of such tasks are worth being made smaller. */
const STEP = "step by step ".repeat(100);

type Emit = (output: RunOutput) => void;

/** `began` leaves the trace by which a second run of one message is seen. */
export function createAgent(clock: Clock, began: (taskId: string, messageId: string) => void): TaskRunner {
  return {
    steerable: true,
    async run(request, emit) {
      const { taskId, message, resumes, signal, steering } = request;
      const letters = createLetters(request);
      began(taskId, message.messageId);
      const text = partsToText(message.parts);
      const kind = resumes ? "answer" : (text.split(" ")[0] as Kind);
      if (kind === "direct") return { kind: "message", parts: [{ text }] };
      emit({ kind: "working" });
      if (kind === "hold") {
        const letter = await letters.first;
        if (!signal.aborted) emit(piece("reply", letter));
      }
      const outcome = await act(kind, text, emit, request, clock);
      while (!signal.aborted && steering?.close() === false) await sleep(clock, 1, signal);
      return signal.aborted ? { kind: "canceled" } : outcome;
    },
  };
}

/** The reply that a task of this message ends with. */
export function replyTo(text: string): string {
  return text.startsWith("big ") ? `${text} ${BIG}` : text;
}

async function act(kind: Kind, text: string, emit: Emit, { signal }: RunRequest, clock: Clock): Promise<RunOutcome> {
  switch (kind) {
    case "ask":
      return { kind: "input-required", question: [{ text: `${text}?` }] };
    case "fail":
      return { kind: "failed", reason: text };
    case "hold":
      return COMPLETED;
    case "slow":
      await sleep(clock, 15, signal);
      break;
    case "pieces":
      await inPieces(text, emit, signal, clock);
      break;
    default:
  }
  if (!signal.aborted) emit(piece("reply", replyTo(text)));
  return COMPLETED;
}

/** What the caller says while the run works. All of it is taken; the first counts. */
function createLetters({ signal, steering }: RunRequest): { readonly first: Promise<string> } {
  const first = new Promise<string>((resolve) => {
    signal.addEventListener("abort", () => resolve(""), { once: true });
    steering?.listen(({ message, taken }) => {
      taken();
      resolve(partsToText(message.parts));
    });
  });
  return { first };
}

async function inPieces(text: string, emit: Emit, signal: StopSignal, clock: Clock): Promise<void> {
  for (let n = 0; n < 3 && !signal.aborted; n++) {
    emit({ kind: "working", note: `step ${n}` });
    for (const word of text.split(" "))
      emit({ ...piece("reply", word), append: true, lastChunk: false, provisional: true });
    await sleep(clock, 5, signal);
    emit(piece(`step-${n}`, `${text} ${n} ${STEP}`));
  }
}

function piece(artifactId: string, text: string): Extract<RunOutput, { kind: "artifact" }> {
  return { kind: "artifact", artifact: { artifactId, parts: [{ text }] }, append: false, lastChunk: true };
}
