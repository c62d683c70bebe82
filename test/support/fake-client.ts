// An A2aClient whose answers the test gives; it records what it was asked.

import type { A2aClient, CallRequest, CallResult, StatusRequest } from "../../src/outbound/client-types.ts";
import { agentCard, agentInterface } from "./builders.ts";

const FAKE_PEER = {
  name: "worker",
  url: "http://127.0.0.1:9910",
  source: "configured",
  timeoutMs: 1000,
} as const;

export function callResult(fields: Partial<CallResult> = {}): CallResult {
  return {
    peer: FAKE_PEER,
    taskId: "task-1",
    contextId: "ctx-1",
    state: "TASK_STATE_COMPLETED",
    text: "all done",
    attachments: [],
    detached: false,
    ...fields,
  };
}

export interface FakeClient extends A2aClient {
  readonly calls: CallRequest[];
  readonly asked: StatusRequest[];
  /** Who was told to cancel what, and whether a person typed the address. */
  readonly canceled: { readonly agent: string; readonly taskId: string; readonly typed: boolean }[];
}

/** `answer` is what every call and status gives; throw in it to fail them. */
export function createFakeClient(
  answer: (request: CallRequest | StatusRequest) => CallResult | Promise<CallResult>,
): FakeClient {
  const calls: CallRequest[] = [];
  const asked: StatusRequest[] = [];
  const canceled: FakeClient["canceled"] = [];
  return {
    calls,
    asked,
    canceled,
    async call(request) {
      calls.push(request);
      return answer(request);
    },
    async status(request) {
      asked.push(request);
      return answer(request);
    },
    discover: async () => ({
      peer: FAKE_PEER,
      cardUrl: `${FAKE_PEER.url}/.well-known/agent-card.json`,
      card: agentCard(),
      chosen: agentInterface(),
      warnings: [],
      login: { wanted: "", sent: "" },
      problems: [],
    }),
    async cancel(agent, taskId, { typed }) {
      canceled.push({ agent, taskId, typed });
      return callResult({ taskId, state: "TASK_STATE_CANCELED", text: "half of it" });
    },
    peerNames: () => ["worker"],
    stats: () => ({ sent: 1, replies: 1, failed: 0, meanMs: 12 }),
    close: async () => undefined,
  };
}
