// Owns what one use of a2a_status does: asks how a task stands, and waits for its end as long as it was told to.

import { isInterrupted, isTerminal } from "../../core/protocol/task-state.ts";
import { statusText } from "../text/call-text.ts";
import { startProgressRow } from "./call-progress.ts";
import type { CallDetails, ToolAnswer, ToolDeps, ToolUse } from "./tool-deps.ts";

interface StatusParams {
  readonly agent: string;
  readonly task_id: string;
  readonly wait_seconds?: number;
}

/** Throws only when the task could not be asked for. */
export async function useStatus(
  deps: ToolDeps,
  { params, signal, onUpdate }: ToolUse<StatusParams>,
): Promise<ToolAnswer<CallDetails>> {
  const { agent, task_id: taskId, wait_seconds: waitSec = 0 } = params;
  const row = startProgressRow(deps.clock, (line) =>
    onUpdate?.({ content: [{ type: "text", text: line }], details: { taskId } }),
  );
  try {
    const client = await deps.client();
    const result = await (await deps.dispatched()).asked(agent, taskId, () =>
      client.status({
        ...{ agent, taskId, waitSec, typed: false },
        onProgress: row.onProgress,
        ...(signal === undefined ? {} : { signal }),
      }),
    );
    const waitEnded = waitSec > 0 && !isTerminal(result.state) && !isInterrupted(result.state);
    const kept = await (await deps.replies()).keep(result);
    const text = statusText(agent, result, waitEnded, kept);
    return { content: [{ type: "text", text }], details: { taskId, state: result.state } };
  } finally {
    row.stop();
  }
}
