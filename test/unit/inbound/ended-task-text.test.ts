import assert from "node:assert/strict";
import fc from "fast-check";
import { createStopper } from "../../../src/core/platform/stop-signal.ts";
import { taskJson } from "../../../src/core/protocol/encode.ts";
import { isTerminal } from "../../../src/core/protocol/task-state.ts";
import type { Json, Task } from "../../../src/core/protocol/types.ts";
import type { Operations } from "../../../src/inbound/operations.ts";
import { bindRequest } from "../../../src/inbound/rpc-binding.ts";
import type { CallContext } from "../../../src/inbound/rpc-method.ts";
import { task as anyTask } from "../../support/wire-arbitraries.ts";

/** The reply to a call that finds this task, with or without its text at hand. */
async function replyTo(method: string, params: Json, task: Task, atHand: boolean): Promise<string> {
  const operations = {
    getTask: async () => task,
    sendMessage: async () => ({ task }),
    taskJson: () => (atHand && isTerminal(task.status.state) ? taskJson(task) : undefined),
  } as unknown as Operations;
  const context: CallContext = {
    ...{ operations, features: {}, legacy: false, caller: { key: "local", name: "ip:127.0.0.1" } },
    ...{ trace: { traceparent: "" }, extensions: [], newMessageId: () => "m" },
    hasExtendedCard: () => false,
    extendedCard: () => assert.fail("no card is asked for"),
    signal: () => createStopper().signal,
  };
  const call = bindRequest({ jsonrpc: "2.0", id: 1, method, params }, "1.0");
  assert.ok(call.kind === "reply");
  return call.run(context);
}

describe("the text of an ended task", () => {
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hello" }] };
  const calls: readonly (readonly [string, Json])[] = [
    ["GetTask", { id: "task-1" }],
    ["GetTask", { id: "task-1", historyLength: 1 }],
    ["SendMessage", { message }],
    ["SendMessage", { message, configuration: { historyLength: 0 } }],
  ];
  for (const [method, params] of calls) {
    it(`is in the reply to ${method} ${JSON.stringify(params)} what the task would be`, async () => {
      await fc.assert(
        fc.asyncProperty(anyTask, async (task) => {
          const [spliced, made] = [
            await replyTo(method, params, task, true),
            await replyTo(method, params, task, false),
          ];
          assert.equal(spliced, made);
        }),
      );
    });
  }
});
