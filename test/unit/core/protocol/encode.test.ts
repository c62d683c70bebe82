import assert from "node:assert/strict";
import {
  encodeArtifact,
  encodeArtifactUpdate,
  encodeCard,
  encodeMessage,
  encodeSendResult,
  encodeStatusUpdate,
  encodeStreamResponse,
  encodeTask,
} from "../../../../src/core/protocol/encode.ts";
import {
  agentCard,
  agentMessage,
  artifact,
  artifactUpdate,
  completedTask,
  skill,
  statusUpdate,
  task,
  userMessage,
} from "../../../support/builders.ts";

describe("encoding a task", () => {
  const history = [userMessage({ messageId: "1" }), agentMessage({ messageId: "2" }), userMessage({ messageId: "3" })];

  it("writes every field that has a value", () => {
    const full = completedTask("done", { history, metadata: { a: 1 } });
    assert.deepEqual(encodeTask(full), full);
  });

  it("leaves out empty lists and maps", () => {
    assert.deepEqual(encodeTask(task("TASK_STATE_WORKING", { artifacts: [], history: [], metadata: {} })), task());
  });

  it("gives at most the newest messages, oldest first, and no history for 0", () => {
    const shown = (historyLength?: number): unknown =>
      encodeTask(task("TASK_STATE_WORKING", { history }), historyLength === undefined ? {} : { historyLength }).history;
    assert.deepEqual(shown(2), history.slice(1));
    assert.deepEqual(shown(9), history);
    assert.deepEqual(shown(), history);
    assert.equal(shown(0), undefined);
    assert.ok(!("history" in encodeTask(task("TASK_STATE_WORKING", { history }), { historyLength: 0 })));
  });

  it("leaves out artifacts when they are not asked for", () => {
    assert.ok(!("artifacts" in encodeTask(completedTask(), { artifacts: false })));
  });
});

describe("encoding", () => {
  it("writes no field that the specification does not have", () => {
    const extra = { kind: "x", createdAt: 1 };
    const part = { text: "a", ...extra };
    const message = { ...agentMessage({ parts: [part] }), ...extra };
    const wire = encodeTask({
      ...task(),
      ...extra,
      status: { state: "TASK_STATE_WORKING", message, ...extra },
      artifacts: [{ ...artifact({ parts: [part] }), ...extra }],
      history: [message],
    });
    assert.doesNotMatch(JSON.stringify(wire), /kind|createdAt/);
    assert.doesNotMatch(
      JSON.stringify(encodeCard({ ...agentCard({ skills: [{ ...skill(), ...extra }] }), ...extra })),
      /kind|createdAt/,
    );
    assert.doesNotMatch(JSON.stringify(encodeStatusUpdate({ ...statusUpdate(), ...extra })), /kind|createdAt/);
  });

  it("leaves out empty optional strings and lists of messages and artifacts", () => {
    const empty = { metadata: {}, extensions: [] };
    assert.deepEqual(
      encodeMessage(userMessage({ contextId: "", taskId: "", referenceTaskIds: [], ...empty })),
      userMessage(),
    );
    assert.deepEqual(encodeArtifact(artifact({ name: "", description: "", ...empty })), artifact());
  });

  it("writes contents that are empty or null", () => {
    const parts = [{ text: "" }, { raw: "" }, { url: "" }, { data: null }];
    assert.deepEqual(encodeMessage(userMessage({ parts })).parts, parts);
  });

  it("writes append and lastChunk only when they are true", () => {
    const { append, lastChunk, ...rest } = artifactUpdate();
    assert.deepEqual([append, lastChunk], [false, false]);
    assert.deepEqual(encodeArtifactUpdate(artifactUpdate()), rest);
    assert.deepEqual(encodeArtifactUpdate(artifactUpdate({ append: true, lastChunk: true })), {
      ...rest,
      append: true,
      lastChunk: true,
    });
  });

  it("wraps results and frames in one member", () => {
    assert.deepEqual(encodeSendResult({ task: completedTask() }, { artifacts: false }), {
      task: task("TASK_STATE_COMPLETED"),
    });
    assert.deepEqual(encodeSendResult({ message: agentMessage() }), { message: agentMessage() });
    assert.deepEqual(encodeStreamResponse({ task: task() }), { task: task() });
    assert.deepEqual(encodeStreamResponse({ message: agentMessage() }), { message: agentMessage() });
    assert.deepEqual(encodeStreamResponse({ statusUpdate: statusUpdate() }), { statusUpdate: statusUpdate() });
    assert.deepEqual(Object.keys(encodeStreamResponse({ artifactUpdate: artifactUpdate() })), ["artifactUpdate"]);
  });

  it("keeps the required fields of a card also when they are empty", () => {
    const card = agentCard({
      description: "",
      skills: [],
      supportedInterfaces: [],
      capabilities: { extensions: [] },
      defaultInputModes: [],
      defaultOutputModes: [],
      securitySchemes: {},
      securityRequirements: [],
    });
    const { securitySchemes, securityRequirements, ...rest } = card;
    assert.deepEqual([securitySchemes, securityRequirements], [{}, []]);
    assert.deepEqual(encodeCard(card), { ...rest, capabilities: {} });
  });

  it("writes capabilities that are false, but no extension that is not required", () => {
    const wire = encodeCard(
      agentCard({ capabilities: { streaming: false, extensions: [{ uri: "urn:x", required: false }] } }),
    );
    assert.deepEqual(wire.capabilities, { streaming: false, extensions: [{ uri: "urn:x" }] });
  });
});
