import assert from "node:assert/strict";
import {
  decodeCancelTaskParams,
  decodeGetTaskParams,
  decodeSendMessageParams,
  decodeTaskIdParams,
  decodeTenantParams,
} from "../../../../src/core/protocol/decode-params.ts";
import { userMessage } from "../../../support/builders.ts";
import { refusal } from "../../../support/refusal.ts";

function refusedField(run: () => unknown): string | undefined {
  return refusal("INVALID_PARAMS", run).violations[0]?.field;
}

describe("decoding the params of SendMessage", () => {
  const send = (message: unknown, more: object = {}): unknown => decodeSendMessageParams({ message, ...more });

  it("reads a message with configuration, metadata and tenant", () => {
    const params = {
      message: userMessage(),
      configuration: {
        acceptedOutputModes: ["text/plain"],
        historyLength: 0,
        returnImmediately: true,
        taskPushNotificationConfig: { url: "https://a/b", token: "t", authentication: { scheme: "Bearer" } },
      },
      metadata: { a: 1 },
      tenant: "x",
    };
    assert.deepEqual(decodeSendMessageParams(params), params);
  });

  it("reads snake_case and numbers in strings", () => {
    const configuration = { history_length: "3", return_immediately: false, accepted_output_modes: ["a/b"] };
    assert.deepEqual(decodeSendMessageParams({ message: userMessage(), configuration }), {
      message: userMessage(),
      configuration: { historyLength: 3, returnImmediately: false, acceptedOutputModes: ["a/b"] },
    });
  });

  it("refuses empty and ambiguous messages by field name (W18)", () => {
    const cases: [unknown, string][] = [
      [{ ...userMessage(), parts: [] }, "message.parts"],
      [{ ...userMessage(), parts: undefined }, "message.parts"],
      [{ ...userMessage(), parts: [{}] }, "message.parts[0]"],
      [{ ...userMessage(), parts: [{ text: "a", data: 1 }] }, "message.parts[0]"],
      [{ ...userMessage(), parts: [{ text: "" }] }, "message.parts"],
      [{ ...userMessage(), parts: [{ text: " \n\t" }, { text: "\u00a0\ufeff" }] }, "message.parts"],
    ];
    for (const [message, field] of cases)
      assert.equal(
        refusedField(() => send(message)),
        field,
      );
  });

  it("takes text in which nothing can be seen for blank", () => {
    for (const text of [
      "\u200b",
      " \u200b\u200d\n\u2060\ufeff",
      "\u00ad",
      "\u3164",
      "\u{e0041}\ufe0f",
      "\u0000\u0085",
    ]) {
      assert.equal(
        refusedField(() => send({ ...userMessage(), parts: [{ text }, { text: " " }] })),
        "message.parts",
        JSON.stringify(text),
      );
    }
    for (const text of ["\u200b?\u200b", "\u200f\u05d0", "\u{1f468}\u200d\u{1f469}"]) {
      send({ ...userMessage(), parts: [{ text }] });
    }
  });

  it("takes blank text beside something else", () => {
    for (const other of [{ text: "x" }, { url: "https://a" }, { raw: "QQ==" }, { data: null }]) {
      send({ ...userMessage(), parts: [{ text: " " }, other] });
    }
  });

  it("refuses a message that claims to be the agent's", () => {
    assert.equal(
      refusedField(() => send({ ...userMessage(), role: "ROLE_AGENT" })),
      "message.role",
    );
    assert.equal(
      refusedField(() => send({ ...userMessage(), role: 2 })),
      "message.role",
    );
  });

  it("refuses missing and wrong params", () => {
    for (const params of [undefined, null, [], "x", 1]) {
      assert.equal(
        refusedField(() => decodeSendMessageParams(params)),
        "params",
      );
    }
    assert.equal(
      refusedField(() => decodeSendMessageParams({})),
      "message",
    );
    assert.equal(
      refusedField(() => send(null)),
      "message",
    );
    assert.equal(
      refusedField(() => send("hello")),
      "message",
    );
  });

  it("refuses wrong configuration by field name", () => {
    const cases: [unknown, string][] = [
      [[], "configuration"],
      [{ historyLength: -1 }, "configuration.historyLength"],
      [{ historyLength: true }, "configuration.historyLength"],
      [{ historyLength: 2 ** 31 }, "configuration.historyLength"],
      [{ returnImmediately: "yes" }, "configuration.returnImmediately"],
      [{ acceptedOutputModes: [1] }, "configuration.acceptedOutputModes[0]"],
      [{ taskPushNotificationConfig: {} }, "configuration.taskPushNotificationConfig.url"],
      [{ taskPushNotificationConfig: { url: 1 } }, "configuration.taskPushNotificationConfig.url"],
      [{ taskPushNotificationConfig: { url: "u", taskId: 1 } }, "configuration.taskPushNotificationConfig.taskId"],
      [{ taskPushNotificationConfig: { url: "u", tenant: 1 } }, "configuration.taskPushNotificationConfig.tenant"],
      [
        { taskPushNotificationConfig: { url: "https://a", authentication: {} } },
        "configuration.taskPushNotificationConfig.authentication.scheme",
      ],
    ];
    for (const [configuration, field] of cases) {
      assert.equal(
        refusedField(() => send(userMessage(), { configuration })),
        field,
      );
    }
    assert.equal(
      refusedField(() => send(userMessage(), { metadata: "x" })),
      "metadata",
    );
  });

  it("leaves a task id that nobody issued to the operations (W10)", () => {
    assert.deepEqual(decodeSendMessageParams({ message: { ...userMessage(), taskId: "made-up" } }), {
      message: userMessage({ taskId: "made-up" }),
    });
  });
});

describe("decoding the params of task methods", () => {
  it("reads id, tenant and historyLength", () => {
    assert.deepEqual(decodeTaskIdParams({ id: "t", tenant: "", metadata: {} }), { id: "t" });
    assert.deepEqual(decodeGetTaskParams({ id: "t", history_length: 0, tenant: "x" }), {
      id: "t",
      historyLength: 0,
      tenant: "x",
    });
    assert.deepEqual(decodeGetTaskParams({ id: "t", historyLength: null }), { id: "t" });
  });

  it("refuses a missing, empty, wrong or endless id", () => {
    for (const decode of [decodeTaskIdParams, decodeGetTaskParams, decodeCancelTaskParams]) {
      for (const id of [undefined, null, "", 1, {}, "x".repeat(1025)]) {
        assert.equal(
          refusedField(() => decode({ id })),
          "id",
        );
      }
      assert.equal(
        refusedField(() => decode(undefined)),
        "params",
      );
    }
  });

  it("reads the metadata of a cancel, and refuses what is none", () => {
    assert.deepEqual(decodeCancelTaskParams({ id: "t", metadata: { a: 1 } }), { id: "t", metadata: { a: 1 } });
    assert.deepEqual(decodeCancelTaskParams({ id: "t", metadata: null, tenant: "x" }), { id: "t", tenant: "x" });
    assert.equal(
      refusedField(() => decodeCancelTaskParams({ id: "t", metadata: "x" })),
      "metadata",
    );
  });

  it("reads a tenant alone, or nothing", () => {
    assert.deepEqual(decodeTenantParams({ tenant: "x" }), { tenant: "x" });
    for (const none of [undefined, null, {}, { tenant: "" }]) assert.deepEqual(decodeTenantParams(none), {});
    assert.equal(
      refusedField(() => decodeTenantParams([])),
      "params",
    );
    assert.equal(
      refusedField(() => decodeTenantParams({ tenant: 7 })),
      "tenant",
    );
  });

  it("refuses a negative historyLength", () => {
    assert.equal(
      refusedField(() => decodeGetTaskParams({ id: "t", historyLength: -1 })),
      "historyLength",
    );
  });
});
