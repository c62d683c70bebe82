// Plays a turn as a model's token stream: small deltas with a yield between them, abort at every point, usage counted.
// Must never throw into the host: every end is an event.

import type {
  Api,
  AssistantMessage,
  AssistantMessageEventStream,
  Context,
  Model,
  SimpleStreamOptions,
} from "@mariozechner/pi-ai";
import * as Ai from "@mariozechner/pi-ai";
import { directedTurn } from "./directives.ts";
import { count, emptyMessage } from "./message.ts";
import { spokenTurn } from "./sentences.ts";
import type { Finish, Piece, Turn, View } from "./turn.ts";
import { viewOf } from "./view.ts";

/** One stream in progress. `message` grows as it is sent, as the host expects of a provider. */
interface Play {
  readonly stream: AssistantMessageEventStream;
  readonly message: AssistantMessage;
  readonly signal: AbortSignal | undefined;
}

/** The provider's `streamSimple`. */
export function streamAnswer(
  model: Model<Api>,
  context: Context,
  options?: SimpleStreamOptions,
): AssistantMessageEventStream {
  const stream = Ai.createAssistantMessageEventStream();
  const play: Play = { stream, message: emptyMessage(model, context), signal: options?.signal };
  run(play, model, context, options).catch((error: unknown) => endEarly(play, model, "error", String(error)));
  return stream;
}

async function run(play: Play, model: Model<Api>, context: Context, options?: SimpleStreamOptions): Promise<void> {
  await options?.onPayload?.({ model: model.id, messages: context.messages }, model);
  await options?.onResponse?.({ status: 200, headers: {} }, model);
  const turn = nextTurn(viewOf(model, context, options));
  play.stream.push({ type: "start", partial: play.message });
  const whole = (await streamText(play, turn.pieces)) && (await streamCall(play, turn.finish));
  finish(play, model, whole ? turn.finish : "aborted");
}

function nextTurn(view: View): Turn {
  const request = view.requests.at(-1) ?? "";
  if (view.summarizing) return plain(`Summary of the conversation: ${request.slice(0, 400)}`);
  return directedTurn(request, view) ?? spokenTurn(request, view) ?? plain(`You said: ${request}`);
}

function plain(text: string): Turn {
  return { pieces: [{ text, delayMs: 0 }], finish: { kind: "stop" } };
}

/** False when the host aborted. */
async function streamText({ stream, message, signal }: Play, pieces: readonly Piece[]): Promise<boolean> {
  if (pieces.length === 0) return true;
  const contentIndex = message.content.length;
  const block = { type: "text" as const, text: "" };
  message.content.push(block);
  stream.push({ type: "text_start", contentIndex, partial: message });
  for (const { text, delayMs } of pieces) {
    await pause(delayMs, signal);
    const separated = block.text === "" || delayMs > 0 ? text : `\n${text}`;
    for (const delta of separated.match(/\s*\S{1,8}|\s+$/g) ?? []) {
      await pause(0, signal);
      if (signal?.aborted) return false;
      block.text += delta;
      stream.push({ type: "text_delta", contentIndex, delta, partial: message });
    }
  }
  stream.push({ type: "text_end", contentIndex, content: block.text, partial: message });
  return true;
}

/** False when the host aborted. */
async function streamCall({ stream, message, signal }: Play, end: Finish): Promise<boolean> {
  await pause(0, signal);
  if (signal?.aborted) return false;
  if (end.kind !== "call") return true;
  const contentIndex = message.content.length;
  const id = `call-${message.timestamp}-${Math.random().toString(36).slice(2, 10)}`;
  const toolCall = { type: "toolCall" as const, id, name: end.tool, arguments: { ...end.args } };
  message.content.push(toolCall);
  stream.push({ type: "toolcall_start", contentIndex, partial: message });
  stream.push({ type: "toolcall_delta", contentIndex, delta: JSON.stringify(end.args), partial: message });
  stream.push({ type: "toolcall_end", contentIndex, toolCall, partial: message });
  return true;
}

function finish(play: Play, model: Model<Api>, end: Finish | "aborted"): void {
  if (end === "aborted") {
    endEarly(play, model, "aborted", "Request was aborted");
    return;
  }
  if (end.kind === "error") {
    endEarly(play, model, "error", end.message);
    return;
  }
  const { stream, message } = play;
  count(message, model);
  message.stopReason = end.kind === "call" ? "toolUse" : end.kind;
  stream.push({ type: "done", reason: message.stopReason, message });
  stream.end(message);
}

function endEarly({ stream, message }: Play, model: Model<Api>, reason: "aborted" | "error", why: string): void {
  count(message, model);
  message.stopReason = reason;
  message.errorMessage = why;
  stream.push({ type: "error", reason, error: message });
  stream.end(message);
}

/** Resolves after the time, at once when aborted; with 0 it still lets other work run. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (ms === 0 || signal?.aborted) {
      setImmediate(resolve);
      return;
    }
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });
}
