import assert from "node:assert/strict";
import {
  isInterrupted,
  isTerminal,
  mayFollow,
  stateLabel,
  TERMINAL_STATES,
} from "../../../../src/core/protocol/task-state.ts";
import type { TaskState } from "../../../../src/core/protocol/types.ts";

const OPEN: readonly TaskState[] = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
];
const ENDED: readonly TaskState[] = [
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
];

describe("task states", () => {
  it("are ended, waiting for the caller, or neither", () => {
    assert.deepEqual(TERMINAL_STATES, ENDED);
    assert.deepEqual([...OPEN, ...ENDED].filter(isTerminal), ENDED);
    assert.deepEqual([...OPEN, ...ENDED].filter(isInterrupted), [
      "TASK_STATE_INPUT_REQUIRED",
      "TASK_STATE_AUTH_REQUIRED",
    ]);
  });

  it("never change once ended, and never go back to submitted", () => {
    for (const to of [...OPEN, ...ENDED]) {
      for (const from of ENDED) assert.equal(mayFollow(from, to), false);
      for (const from of OPEN) assert.equal(mayFollow(from, to), to !== "TASK_STATE_SUBMITTED");
    }
  });

  it("have a label in lower case with hyphens", () => {
    assert.deepEqual(
      ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_CANCELED"].map((state) => stateLabel(state as TaskState)),
      ["input-required", "canceled"],
    );
  });
});
