import assert from "node:assert/strict";
import { decodeMessage } from "../../../../src/core/protocol/decode-message.ts";
import { PEER_RULES } from "../../../../src/core/protocol/decode-rules.ts";
import { decodeSendResult, decodeStreamResponse, decodeTask } from "../../../../src/core/protocol/decode-task.ts";
import { agentMessage, artifact, artifactUpdate, statusUpdate, task } from "../../../support/builders.ts";
import { refusal } from "../../../support/refusal.ts";

describe("older spellings", () => {
  it("of states are all read to one (W08) [client-states]", () => {
    const spellings = {
      TASK_STATE_COMPLETED: ["TASK_STATE_COMPLETED", "completed", "Completed"],
      TASK_STATE_CANCELED: ["canceled", "cancelled", "TASK_STATE_CANCELLED"],
      TASK_STATE_INPUT_REQUIRED: ["input-required", "input_required", "INPUT_REQUIRED"],
      TASK_STATE_AUTH_REQUIRED: ["auth-required", "auth_required"],
      TASK_STATE_SUBMITTED: ["submitted"],
      TASK_STATE_WORKING: ["working"],
      TASK_STATE_FAILED: ["failed"],
      TASK_STATE_REJECTED: ["rejected"],
    };
    for (const [state, names] of Object.entries(spellings)) {
      for (const name of names) assert.equal(decodeTask({ id: "t", status: { state: name } }, "r").status.state, state);
    }
  });

  it("of roles are read, others refused", () => {
    const role = (value: unknown): string => decodeMessage({ role: value, parts: [] }, "m", PEER_RULES).role;
    assert.deepEqual(["user", "ROLE_USER", "User", 1].map(role), Array(4).fill("ROLE_USER"));
    assert.deepEqual(["agent", "ROLE_AGENT", 2, 0, undefined].map(role), Array(5).fill("ROLE_AGENT"));
    for (const value of ["assistant", "", 3, {}]) refusal("PEER_BAD_REPLY", () => role(value));
  });

  it("of parts are read to one form (W20) [client-parts]", () => {
    const file = { raw: "QQ==", mediaType: "text/plain", filename: "a.txt" };
    const cases: [unknown, unknown][] = [
      [{ kind: "text", text: "x" }, { text: "x" }],
      [
        { type: "text", text: "x", metadata: { a: 1 } },
        { text: "x", metadata: { a: 1 } },
      ],
      [{ kind: "data", data: { a: 1 } }, { data: { a: 1 } }],
      [{ kind: "file", file: { bytes: "QQ==", mimeType: "text/plain", name: "a.txt" } }, file],
      [{ kind: "file", file: { file_with_bytes: "QQ", mime_type: "text/plain", name: "a.txt" } }, file],
      [
        { type: "file", file: { uri: "https://a/b", mimeType: "x/y" } },
        { url: "https://a/b", mediaType: "x/y" },
      ],
      [
        { kind: "file", file: { fileWithUri: "https://a/b" }, metadata: { a: 1 } },
        { url: "https://a/b", metadata: { a: 1 } },
      ],
    ];
    for (const [value, part] of cases) {
      assert.deepEqual(decodeMessage({ parts: [value] }, "m", PEER_RULES).parts, [part]);
    }
  });

  it("of results without a wrapper are read", () => {
    assert.deepEqual(decodeSendResult({ kind: "task", ...task() }), { task: task() });
    assert.deepEqual(decodeSendResult(task()), { task: task() });
    assert.deepEqual(decodeSendResult({ kind: "message", ...agentMessage() }), { message: agentMessage() });
    assert.deepEqual(decodeSendResult(agentMessage()), { message: agentMessage() });
    assert.deepEqual(decodeTask({ task: task() }, "result"), task());
  });

  it("of a result that has only artifacts are a completed task", () => {
    assert.deepEqual(decodeSendResult({ artifacts: [artifact()] }), {
      task: { id: "", contextId: "", status: { state: "TASK_STATE_COMPLETED" }, artifacts: [artifact()] },
    });
  });

  it("of stream events tagged by kind are read", () => {
    assert.deepEqual(decodeStreamResponse({ kind: "status-update", final: true, ...statusUpdate() }), {
      statusUpdate: statusUpdate(),
    });
    assert.deepEqual(decodeStreamResponse({ kind: "artifact-update", ...artifactUpdate() }), {
      artifactUpdate: artifactUpdate(),
    });
    assert.deepEqual(decodeStreamResponse({ kind: "task", ...task() }), { task: task() });
    assert.deepEqual(decodeStreamResponse({ kind: "message", ...agentMessage() }), { message: agentMessage() });
  });

  it("of stream events without tag and wrapper are told by their members", () => {
    assert.deepEqual(decodeStreamResponse(statusUpdate()), { statusUpdate: statusUpdate() });
    assert.deepEqual(decodeStreamResponse(artifactUpdate()), { artifactUpdate: artifactUpdate() });
  });

  it("of hybrid peers, tagged and wrapped, are read", () => {
    assert.deepEqual(decodeStreamResponse({ task: { kind: "task", ...task() } }), { task: task() });
  });

  it("of the older pi-a2a, a whole task as statusUpdate and a bare artifact as artifactUpdate, are read", () => {
    assert.deepEqual(decodeStreamResponse({ statusUpdate: task() }), { task: task() });
    assert.deepEqual(decodeStreamResponse({ artifactUpdate: artifact() }), {
      artifactUpdate: { taskId: "", contextId: "", artifact: artifact(), append: false, lastChunk: false },
    });
  });
});
