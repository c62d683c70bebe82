// One run of a child: the caller's message goes in as framed plain text, and after it what the caller says while the child works;
// what happens comes out while it happens, and the outcome after everything has settled.

import type { AgentSession } from "@mariozechner/pi-coding-agent";
import type { Clock } from "../../core/platform/clock.ts";
import { describeError, isA2aError } from "../../core/platform/errors.ts";
import type { Log } from "../../core/platform/log.ts";
import type { RunOutcome, RunOutput, RunRequest } from "../../core/ports.ts";
import type { Message, Part } from "../../core/protocol/types.ts";
import { frameInbound } from "../../core/security/inbound-text.ts";
import type { Redaction } from "../../core/security/redact/redaction.ts";
import { ASK_CALLER } from "../tools/ask-caller.ts";
import { abortable } from "./abortable.ts";
import { createEventReader } from "./child-events.ts";
import type { ChildSession } from "./child-session.ts";
import { oneLine, settle } from "./outcome.ts";
import { partsToPrompt, type StoredParts } from "./prompt-text.ts";
import { type Recalled, recallToPrompt } from "./recall.ts";
import { promptAndSettle } from "./settle.ts";
import { type SteeredRun, steerRun } from "./steered-run.ts";
import { type RunUsage, usageOf } from "./usage.ts";

const FORGOTTEN = "The earlier messages of this conversation are not available to you.";
// A message that was on its way when the child asked is what the caller wants it to know now; whether it answers the question, only
// the child can tell.
const MEANWHILE =
  "Your caller sent this while you were at work. If you have just asked it something, it had not read that yet: ask again unless this answers it.";
const FILES_LOST = "Its files could not be stored in your workspace.";

interface RunDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly redaction: Redaction;
}

export interface ChildRun {
  readonly request: RunRequest;
  /** The conversation has earlier messages that its transcript does not hold; here is what is known of them. */
  readonly forgets: false | Recalled;
  /** Where the files of the message are. */
  readonly stored: StoredParts;
  /** Stores the files of a further message; throws SESSION_UNAVAILABLE when it cannot. */
  readonly receive: (parts: readonly Part[]) => Promise<StoredParts>;
  /** What the child has asked its caller in this run, as far as it is still open; read after its end. */
  readonly questions: string[];
  readonly emit: (output: RunOutput) => void;
  /** Called once, however the run ends. */
  readonly spent: (usage: RunUsage) => void;
}

/** Throws CANCELLED when the request's signal aborts first; the child is closed then. */
export async function runChild(deps: RunDeps, child: ChildSession, run: ChildRun): Promise<RunOutcome> {
  const { signal } = run.request;
  const began = deps.clock.monotonic();
  const reader = createEventReader();
  let noted = false;
  const steered = steerRun({
    ...{ log: deps.log, session: child.session, steering: run.request.steering },
    textOf: (message) => steeringPrompt(run, message),
    answered: () => void run.questions.splice(0),
  });
  const stopReading = child.session.agent.subscribe((event) => {
    if (event.type === "message_end" && !noted) noteWay(child.session, run.request);
    noted ||= event.type === "message_end";
    const output = reader.read(event);
    if (output !== undefined && !signal.aborted) run.emit(output);
    return steered.hear(event);
  });
  endWithQuestion(child.session);
  try {
    await abortable(converse(deps, child.session, promptOf(run), steered), signal);
  } catch (error) {
    if (signal.aborted) {
      // The message that was cut off is counted, too: the provider has.
      await child.close();
      throw error;
    }
    // No run could start, for example because the provider has no key: Pi's own text says it best.
    return { kind: "failed", reason: oneLine(deps.redaction.text(describeError(error))) };
  } finally {
    stopReading();
    run.spent(usageOf(reader.messages(), deps.clock.monotonic() - began));
  }
  const { outputs, outcome } = settle(reader.messages(), run.questions, deps.redaction.text);
  outputs.forEach(run.emit);
  return outcome;
}

/** Resolves when the child has settled and nothing that was said to it is left. */
async function converse(deps: RunDeps, session: AgentSession, first: string, steered: SteeredRun): Promise<void> {
  for (let text: string | undefined = first; text !== undefined; text = await steered.next()) {
    await promptAndSettle(session, text, deps);
  }
}

/** Into the transcript, once there is something in it, and beside the conversation: no model provider sees it. */
function noteWay({ sessionManager }: AgentSession, { taskId, contextId, chain }: RunRequest): void {
  if (chain === undefined) return;
  const { traceparent, sessions } = chain;
  sessionManager.appendCustomEntry("a2a", { taskId, contextId, traceparent, sessions });
}

function promptOf({ request, forgets, stored }: ChildRun): string {
  const { caller, message } = request;
  const text = partsToPrompt(message.parts, stored);
  if (forgets === false) return frameInbound(caller.name, text);
  if (forgets.said.length > 0) return frameInbound(caller.name, recallToPrompt(forgets, text));
  return `${FORGOTTEN}\n\n${frameInbound(caller.name, text)}`;
}

async function steeringPrompt({ request, receive }: ChildRun, { parts }: Message): Promise<string> {
  let stored: StoredParts = new Map();
  let lead = MEANWHILE;
  try {
    stored = await receive(parts);
  } catch (error) {
    if (!isA2aError(error, "SESSION_UNAVAILABLE")) throw error;
    // The task goes on with what it has; ./inbox.ts has logged why.
    lead = `${MEANWHILE} ${FILES_LOST}`;
  }
  return `${lead}\n\n${frameInbound(request.caller.name, partsToPrompt(parts, stored))}`;
}

/** Pi ends a run after tool calls only when each of them says so: those beside a question say it too. */
function endWithQuestion({ agent }: AgentSession): void {
  const { afterToolCall } = agent;
  agent.afterToolCall = async (call, signal) => {
    const result = await afterToolCall?.(call, signal);
    const { content } = call.assistantMessage;
    const asks = content.some((block) => block.type === "toolCall" && block.name === ASK_CALLER);
    return asks && call.toolCall.name !== ASK_CALLER ? { ...result, terminate: true } : result;
  };
}
