// Our caller ends its call while the agent works at "wait": the agent is told, and its task is canceled.

import assert from "node:assert/strict";
import type { A2aClient } from "../../src/outbound/client-types.ts";

export async function cancelByCaller(client: A2aClient, agent: string): Promise<void> {
  const control = new AbortController();
  let taskId = "";
  const called = client.call({
    agent,
    text: "wait",
    detached: false,
    typed: true,
    signal: control.signal,
    onProgress(progress) {
      if (progress.taskId === undefined || progress.state !== "TASK_STATE_WORKING") return;
      taskId = progress.taskId;
      control.abort();
    },
  });
  // On a busy machine the confirmation may come after the call has ended.
  await assert.rejects(called, /the task is canceled|was told to cancel it/);
  const { state } = await client.status({ agent, taskId, waitSec: 5, typed: true });
  assert.equal(state, "TASK_STATE_CANCELED");
}
