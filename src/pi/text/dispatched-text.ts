// Owns what the person and the model are told of dispatched tasks: that one has ended or asks, and which are still open.

import { isInterrupted, stateLabel } from "../../core/protocol/task-state.ts";
import { oneLine } from "../../core/security/sanitize.ts";
import type { CallResult } from "../../outbound/client-types.ts";
import type { DispatchedTask, OpenTask } from "../dispatched/dispatched-task.ts";
import type { Ending } from "../dispatched/watch-task.ts";
import type { KeptReply } from "../files/reply-store.ts";
import type { Note } from "../ui/transcript-notes.ts";
import { statusText } from "./call-text.ts";
import { duration } from "./duration.ts";

const MAX_NAME = 80;
const MAX_LISTED = 20;

/** One line for the person: `worker completed task task-…, which was dispatched 2m 05s ago`. */
export function endingLine(task: DispatchedTask, ending: Ending, now: number): string {
  return oneLine(`A2A: ${oneLine(task.agent, MAX_NAME)} ${whatHappened(ending)} ${ofTask(task, now)}`, 400);
}

/** The whole of it for the person, outside the context. `kept` belongs to the result. */
export function endingNote(line: string, task: DispatchedTask, settled: Settled | undefined): Note {
  if (settled === undefined) return { lines: [line], tone: "warning" };
  const { result, kept } = settled;
  const good = result.state === "TASK_STATE_COMPLETED";
  const text = statusText(task.agent, { ...result, taskId: task.taskId }, false, kept, "command");
  return {
    lines: [line, ...text.split("\n")],
    tone: good ? "success" : isInterrupted(result.state) ? "warning" : "error",
  };
}

export interface Settled {
  readonly result: CallResult;
  readonly kept: KeptReply;
}

/** For the model: that it is so, and how to read the rest. The peer's own words come by the tool only, as information. */
export function wakeText(line: string, task: DispatchedTask, ending: Ending): string {
  if (ending.kind !== "settled") return `${line}.`;
  const read = `a2a_status(agent: "${oneLine(task.agent, 200)}", task_id: "${oneLine(task.taskId, 200)}")`;
  return `${line}. Read what it says with ${read}, then go on with what the task was for.`;
}

/** Those that nobody was told of yet; no line when there are none. */
export function openTasksLines(tasks: readonly OpenTask[], now: number): string[] {
  if (tasks.length === 0) return [];
  const rows = tasks.slice(0, MAX_LISTED).map((task) => {
    const from = task.here ? "this session" : "another session";
    const age = duration(now - task.at);
    return `  - ${oneLine(task.taskId, MAX_NAME)} on ${oneLine(task.agent, MAX_NAME)}, sent by ${from} ${age} ago`;
  });
  const more = tasks.length > MAX_LISTED ? [`  and ${tasks.length - MAX_LISTED} more`] : [];
  return [`Dispatched tasks that are open or not reported yet: ${tasks.length}`, ...rows, ...more];
}

function whatHappened(ending: Ending): string {
  if (ending.kind === "lost") return "does not know (any more)";
  if (ending.kind === "away") return "was away for so long that nobody asks any more for";
  const { state } = ending.result;
  if (state === "TASK_STATE_INPUT_REQUIRED") return "waits for an answer to";
  if (state === "TASK_STATE_AUTH_REQUIRED") return "waits for a login or a permission for";
  return stateLabel(state);
}

function ofTask(task: DispatchedTask, now: number): string {
  return `task ${oneLine(task.taskId, MAX_NAME)}, dispatched ${duration(now - task.at)} ago`;
}
