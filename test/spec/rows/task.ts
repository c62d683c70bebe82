// GetTask and CancelTask (A2A 1.0 §3.1.3, §3.1.5, §3.2.4).

import { must, type Rows, ruled, should } from "../requirement.ts";

export const TASK: Rows = {
  "get-task": must("3.1.3", "GetTask gives the bare task as it stands."),
  "get-unknown": must("3.1.3", "GetTask of an unknown id is -32001 with the reason TASK_NOT_FOUND."),
  "get-follows-states": must(
    "3.1.3",
    "GetTask shows each state as it comes: SUBMITTED or WORKING, a question, WORKING again, the end.",
  ),
  "history-unset": ruled("3.2.4", "Without `historyLength` the whole history is shown."),
  "history-zero": should("3.2.4", "With `historyLength` 0 the history is left out."),
  "history-most-recent": must("3.2.4", "With `historyLength` n the n newest messages are shown, never more."),
  "history-order": should("3.2.4", "History is oldest first."),
  "history-user-turns": should(
    "3.2.4",
    "History holds the user's message of every turn, and the questions between them.",
  ),
  "history-cap": ruled("own", "At most 50 messages of a task are kept."),
  "history-no-reply": ruled("own", "Neither the reply nor working notes stand in the history."),
  "cancel-result": must("3.1.5", "CancelTask gives the bare task, CANCELED."),
  "cancel-stops-work": must(
    "3.1.5",
    "CancelTask stops what runs for the task, and ends sends and streams that wait for it with the canceled task.",
  ),
  "cancel-question": must("3.1.5", "A task that waits for its caller can be canceled."),
  "cancel-waiting": must("3.1.5", "A task that waits for its turn can be canceled, and never runs."),
  "cancel-unknown": must("3.1.5", "CancelTask of an unknown id is -32001."),
  "cancel-ended": must("3.1.5", "CancelTask of a COMPLETED, FAILED or REJECTED task is -32002."),
  "cancel-again": ruled("3.3.1", "CancelTask of a canceled task gives it again."),
  "cancel-keeps-artifacts": must("3.1.5", "A canceled task keeps the artifacts it had."),
  "cancel-late-result": ruled(
    "3.1.5",
    "What an agent gives after its task was canceled does not change the task's state.",
  ),
  "task-settles-once": ruled("own", "Each task ends exactly once, whatever cancels, windows and late results do."),
};
