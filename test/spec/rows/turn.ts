// Conversations: contexts, follow-ups and questions (A2A 1.0 §3.4, §7.6).

import { must, type Rows, ruled, should } from "../requirement.ts";

export const TURN: Rows = {
  "turn-task-ids": must("3.4.2", "Task ids are made by the server, each once; `task-` and 16 hex digits."),
  "turn-unknown-task": must("3.4.2", "A message for a task that was never issued is -32001, and makes no task."),
  "turn-context-made": must("3.4.1", "A message without contextId gets one, and the task shows it."),
  "turn-context-kept": must(
    "3.4.1",
    "A contextId of the client is taken and never replaced, whatever characters it has.",
  ),
  "turn-context-inferred": must("3.4.1", "A follow-up with only the taskId takes the context of the task."),
  "turn-context-mismatch": must("3.4.1", "A follow-up whose context is not the task's is -32602, and changes nothing."),
  "turn-ended": must("3.4.2", "A message to a task that has ended is -32004, before any work, streaming or not."),
  "turn-refine": must(
    "3.4.3",
    "A new message in the context of an ended task makes a new task; referenceTaskIds reach the agent.",
  ),
  "turn-answer": must("3.4.3", "A follow-up to a task that asks goes on in that task, which then ends."),
  "turn-login-answer": must("7.6", "A follow-up to AUTH_REQUIRED goes on in that task."),
  "turn-question-message": must(
    "7.6",
    "INPUT_REQUIRED and AUTH_REQUIRED have a status message that says what is needed.",
  ),
  "turn-two-answers": ruled(
    "3.4.3",
    "Of two answers that arrive together one goes on; the other is refused clearly, and runs nothing.",
  ),
  "turn-steer": ruled(
    "3.4.3",
    "A message to a WORKING task of the same owner reaches the agent, and waits for the same task.",
  ),
  "turn-same-conversation": should(
    "3.4.1",
    "A new task in a context goes on from that context's last task of the same caller.",
  ),
  "turn-context-per-owner": ruled("3.4.1", "The same contextId of two owners is two conversations."),
  "turn-check-order": ruled(
    "3.4.2",
    "A follow-up is checked in order: task, context, state; all of it before any side effect.",
  ),
  "turn-after-cancel": ruled("3.4.1", "A context goes on normally after one of its tasks was canceled or failed."),
  "turn-late-text": ruled("3.4.1", "What an expired task says late never reaches a later task of its context."),
};
