// Owns what one use of a2a_cancel does: asks the peer to end the task, and tells what it had made by then.

import { cancelText } from "../text/cancel-text.ts";
import type { CallDetails, ToolAnswer, ToolDeps, ToolUse } from "./tool-deps.ts";

/** Throws when the peer refuses, as it does for a task that has ended already. */
export async function useCancel(
  deps: ToolDeps,
  { params, signal }: ToolUse<{ readonly agent: string; readonly task_id: string }>,
): Promise<ToolAnswer<CallDetails>> {
  const { agent, task_id: taskId } = params;
  const client = await deps.client();
  const options = { typed: false, ...(signal === undefined ? {} : { signal }) };
  const result = await (await deps.dispatched()).asked(agent, taskId, () => client.cancel(agent, taskId, options));
  const text = cancelText(agent, result, await (await deps.replies()).keep(result));
  return { content: [{ type: "text", text }], details: { taskId, state: result.state } };
}
