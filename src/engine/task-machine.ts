// Owns the decisions of a task's life: which events follow from what a runner said, or from an end that was asked for.
// Pure: a decision is a list of drafts, which ./ledger.ts stamps and commits. Nothing follows a terminal state.

import { A2aError, isA2aError } from "../core/platform/errors.ts";
import type { RunOutcome, RunOutput } from "../core/ports.ts";
import type { Artifact, JsonObject, Part, Task, TaskState } from "../core/protocol/types.ts";

export type Draft =
  | { readonly kind: "status"; readonly state: TaskState; readonly parts?: readonly Part[] }
  | {
      readonly kind: "artifact";
      readonly artifact: Artifact;
      readonly append: boolean;
      readonly lastChunk: boolean;
      readonly provisional: boolean;
    }
  | { readonly kind: "metadata"; readonly metadata: JsonObject };

/** How a task ends because it was cancelled or refused, its time was up or the engine stops; decided once, whatever the runner says. */
export interface Ending {
  readonly state: "TASK_STATE_CANCELED" | "TASK_STATE_FAILED" | "TASK_STATE_REJECTED";
  readonly text?: string;
}

/** What an output makes of `task`; undefined when it changes nothing. */
export function draftOutput(task: Task, output: RunOutput): Draft | undefined {
  switch (output.kind) {
    case "working":
      if (output.note !== undefined) return statusDraft("TASK_STATE_WORKING", output.note);
      return task.status.state === "TASK_STATE_WORKING" ? undefined : statusDraft("TASK_STATE_WORKING");
    case "artifact":
      // An artifact has at least one part (A2A 1.0 §4.1.7); a piece without any says nothing.
      if (output.artifact.parts.length === 0) return undefined;
      return artifactDraft(output);
    case "metadata":
      return output;
  }
}

/** How a task that everybody may see goes on when its run ends with `outcome`. */
export function draftOutcome(outcome: RunOutcome): readonly Draft[] {
  switch (outcome.kind) {
    case "completed":
      return [statusDraft("TASK_STATE_COMPLETED", outcome.note)];
    case "failed":
      return [statusDraft("TASK_STATE_FAILED", outcome.reason)];
    case "rejected":
      return [statusDraft("TASK_STATE_REJECTED", outcome.reason)];
    case "canceled":
      return [statusDraft("TASK_STATE_CANCELED")];
    case "input-required":
      return [{ kind: "status", state: "TASK_STATE_INPUT_REQUIRED", parts: outcome.question }];
    case "auth-required":
      return [{ kind: "status", state: "TASK_STATE_AUTH_REQUIRED", parts: outcome.question }];
    case "message":
      return [...replyArtifact(outcome.parts), statusDraft("TASK_STATE_COMPLETED")];
    default:
      return unknownOutcome(outcome);
  }
}

/** The end that was asked for; a reply that the runner still brought along is kept as an artifact. */
export function draftEnding(ending: Ending, outcome?: RunOutcome): readonly Draft[] {
  const kept = outcome?.kind === "message" ? replyArtifact(outcome.parts) : [];
  return [...kept, statusDraft(ending.state, ending.text)];
}

/** What callers may read of a fault; `logFault` puts the fault itself into the log and gives its id. */
export function failureText(error: unknown, logFault: (error: unknown) => string): string {
  if (isA2aError(error) && error.code !== "INTERNAL") return error.message;
  return `the task failed inside this agent (log id ${logFault(error)})`;
}

/** Member by member: each piece of live text comes through here. */
function artifactDraft({ artifact, append, lastChunk, provisional }: Extract<RunOutput, { kind: "artifact" }>): Draft {
  return { kind: "artifact", artifact, append, lastChunk, provisional: provisional ?? false };
}

function statusDraft(state: TaskState, text?: string): Draft {
  return text === undefined ? { kind: "status", state } : { kind: "status", state, parts: [{ text }] };
}

function replyArtifact(parts: readonly Part[]): readonly Draft[] {
  if (parts.length === 0) return [];
  const artifact = { artifactId: "reply", name: "reply", parts };
  return [{ kind: "artifact", artifact, append: false, lastChunk: true, provisional: false }];
}

function unknownOutcome(outcome: never): never {
  throw new A2aError("INTERNAL", `not a run outcome: ${JSON.stringify(outcome)}`);
}
