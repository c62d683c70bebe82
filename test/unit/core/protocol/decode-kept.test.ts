import assert from "node:assert/strict";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import {
  decodeKeptArtifact,
  decodeKeptDialect,
  decodeKeptMessage,
  decodeKeptMetadata,
  decodeKeptPushConfig,
  decodeKeptStatus,
  decodeKeptTask,
} from "../../../../src/core/protocol/decode-kept.ts";
import { completedTask, task, userMessage } from "../../../support/builders.ts";

const damaged = (error: unknown): boolean => isA2aError(error, "FILE_FAILED") && /damaged/.test(error.message);

describe("decoding what was kept", () => {
  it("gives a task back exactly, with what callers' decoders would leave out", () => {
    const odd = {
      ...completedTask(),
      dialect: "0.3" as const,
      metadata: { "": null, snake_case: [1] },
      history: [userMessage({ parts: [{ text: "", filename: "" }, { data: null }, { raw: "" }, { url: "x" }] })],
    };
    assert.deepEqual(decodeKeptTask(JSON.parse(JSON.stringify(odd))), odd);
  });

  it("refuses what would break a reader", () => {
    const whole = completedTask();
    const broken: unknown[] = [
      ...[null, 1, "x", [], {}],
      { ...whole, id: 1 },
      { ...whole, contextId: undefined },
      { ...whole, status: "done" },
      { ...whole, status: { state: "done" } },
      { ...whole, status: { state: "TASK_STATE_WORKING", timestamp: 3 } },
      { ...whole, history: {} },
      { ...whole, history: [{ ...userMessage(), role: "x" }] },
      { ...whole, history: [{ ...userMessage(), parts: [null] }] },
      { ...whole, artifacts: [{ artifactId: "a", parts: [{}] }] },
      { ...whole, artifacts: [{ parts: [] }] },
      { ...whole, metadata: [] },
    ];
    for (const value of broken) assert.throws(() => decodeKeptTask(value), damaged, JSON.stringify(value));
    for (const decode of [decodeKeptMessage, decodeKeptArtifact, decodeKeptStatus, decodeKeptMetadata]) {
      assert.throws(() => decode("x"), damaged);
    }
    assert.throws(() => decodeKeptPushConfig({ id: "a", url: "https://a/" }), damaged);
  });

  it("reads tasks of unknown dialects as those of A2A 1.0", () => {
    assert.deepEqual(["0.3", "pi", "2.0", 1].map(decodeKeptDialect), ["0.3", "pi", undefined, undefined]);
    assert.equal(decodeKeptTask(task()).dialect, undefined);
  });
});
