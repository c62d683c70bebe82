import assert from "node:assert/strict";
import { A2aError } from "../../../src/core/platform/errors.ts";
import type { RunOutcome } from "../../../src/core/ports.ts";
import { draftEnding, draftOutcome, draftOutput, failureText } from "../../../src/engine/task-machine.ts";
import { task } from "../../support/builders.ts";

const parts = [{ text: "hi" }];

describe("task machine", () => {
  it("makes a repeated working without a note no event", () => {
    assert.equal(draftOutput(task("TASK_STATE_WORKING"), { kind: "working" }), undefined);
    assert.deepEqual(draftOutput(task("TASK_STATE_SUBMITTED"), { kind: "working" }), {
      kind: "status",
      state: "TASK_STATE_WORKING",
    });
  });

  it("makes each working note a status", () => {
    assert.deepEqual(draftOutput(task("TASK_STATE_WORKING"), { kind: "working", note: "bash" }), {
      kind: "status",
      state: "TASK_STATE_WORKING",
      parts: [{ text: "bash" }],
    });
  });

  it("drops an artifact piece without parts (T01)", () => {
    const artifact = { artifactId: "reply", parts: [] };
    assert.equal(draftOutput(task(), { kind: "artifact", artifact, append: true, lastChunk: true }), undefined);
  });

  it("takes an artifact as final unless it is said to be provisional", () => {
    const artifact = { artifactId: "reply", parts };
    const output = { kind: "artifact", artifact, append: false, lastChunk: true } as const;
    assert.deepEqual(draftOutput(task(), output), { ...output, provisional: false });
  });

  const outcomes: [RunOutcome, unknown][] = [
    [{ kind: "completed" }, [{ kind: "status", state: "TASK_STATE_COMPLETED" }]],
    [{ kind: "completed", note: "n" }, [{ kind: "status", state: "TASK_STATE_COMPLETED", parts: [{ text: "n" }] }]],
    [{ kind: "failed", reason: "r" }, [{ kind: "status", state: "TASK_STATE_FAILED", parts: [{ text: "r" }] }]],
    [{ kind: "rejected", reason: "r" }, [{ kind: "status", state: "TASK_STATE_REJECTED", parts: [{ text: "r" }] }]],
    [{ kind: "canceled" }, [{ kind: "status", state: "TASK_STATE_CANCELED" }]],
    [{ kind: "input-required", question: parts }, [{ kind: "status", state: "TASK_STATE_INPUT_REQUIRED", parts }]],
    [{ kind: "auth-required", question: parts }, [{ kind: "status", state: "TASK_STATE_AUTH_REQUIRED", parts }]],
  ];
  for (const [outcome, drafts] of outcomes) {
    it(`turns the outcome ${JSON.stringify(outcome)} into its status`, () => {
      assert.deepEqual(draftOutcome(outcome), drafts);
    });
  }

  it("turns a message of a task into the artifact reply and COMPLETED", () => {
    const artifact = { artifactId: "reply", name: "reply", parts };
    assert.deepEqual(draftOutcome({ kind: "message", parts }), [
      { kind: "artifact", artifact, append: false, lastChunk: true, provisional: false },
      { kind: "status", state: "TASK_STATE_COMPLETED" },
    ]);
  });

  it("ends as was asked, whatever the run returned, and keeps a reply that came along", () => {
    const ending = { state: "TASK_STATE_FAILED", text: "too late" } as const;
    const end = { kind: "status", state: "TASK_STATE_FAILED", parts: [{ text: "too late" }] };
    assert.deepEqual(draftEnding(ending, { kind: "completed" }), [end]);
    assert.deepEqual(
      draftEnding(ending, { kind: "message", parts }).map(({ kind }) => kind),
      ["artifact", "status"],
    );
  });

  it("lets callers read an A2aError's own message, and a log id for every other fault (S12)", () => {
    const logFault = () => "log-7";
    assert.equal(failureText(new A2aError("SESSION_UNAVAILABLE", "no session"), logFault), "no session");
    assert.match(
      failureText(new Error("/home/me/secret"), logFault),
      /^the task failed inside this agent \(log id log-7\)$/,
    );
    assert.match(failureText(new A2aError("INTERNAL", "/home/me/secret"), logFault), /log-7/);
  });
});
