// Owns what one use of a2a_call does: hands the task over, shows how far it is, and gives the reply back.

import { A2aError } from "../../core/platform/errors.ts";
import type { CallRequest, CallResult } from "../../outbound/client-types.ts";
import { callText } from "../text/call-text.ts";
import { startProgressRow } from "./call-progress.ts";
import type { CallDetails, ToolAnswer, ToolDeps, ToolUse } from "./tool-deps.ts";

interface CallParams {
  readonly agent: string;
  readonly message: string;
  readonly context_id?: string;
  readonly task_id?: string;
  readonly files?: readonly string[];
  readonly async_dispatch?: boolean;
}

/** Throws for a task that failed. `cwd` is the folder of the session. */
export async function useCall(
  deps: ToolDeps,
  { params, signal, onUpdate }: ToolUse<CallParams>,
  cwd: string,
): Promise<ToolAnswer<CallDetails>> {
  const row = startProgressRow(deps.clock, (line, progress) =>
    onUpdate?.({ content: [{ type: "text", text: line }], details: { ...ids(progress) } }),
  );
  try {
    const parts = await outgoing(deps, cwd, params.files);
    const client = await deps.client();
    const result = await client.call({
      agent: params.agent,
      text: params.message,
      detached: params.async_dispatch === true,
      typed: false,
      onProgress: row.onProgress,
      ...parts,
      ...conversation(params.context_id, params.task_id),
      ...(signal === undefined ? {} : { signal }),
    });
    await (await deps.dispatched()).called(params.agent, result);
    const kept = await (await deps.replies()).keep(result);
    const text = callText(params.agent, result, kept);
    if (isFailure(result)) throw new A2aError("TASK_FAILED", text);
    return { content: [{ type: "text", text }], details: { ...ids(result), state: result.state } };
  } finally {
    row.stop();
  }
}

function ids(of: { readonly taskId?: string; readonly contextId?: string }): CallDetails {
  return {
    ...(of.taskId === undefined ? {} : { taskId: of.taskId }),
    ...(of.contextId === undefined ? {} : { contextId: of.contextId }),
  };
}

async function outgoing(
  deps: ToolDeps,
  cwd: string,
  paths: readonly string[] = [],
): Promise<Pick<CallRequest, "parts">> {
  return paths.length === 0 ? {} : { parts: await deps.outgoing(cwd, paths) };
}

/** Models fill in parameters that they do not need with nothing. */
function conversation(contextId = "", taskId = ""): Pick<CallRequest, "contextId" | "taskId"> {
  return {
    ...(contextId.trim() === "" ? {} : { contextId: contextId.trim() }),
    ...(taskId.trim() === "" ? {} : { taskId: taskId.trim() }),
  };
}

function isFailure(result: CallResult): boolean {
  return (
    result.state === "TASK_STATE_FAILED" ||
    result.state === "TASK_STATE_REJECTED" ||
    result.state === "TASK_STATE_CANCELED"
  );
}
