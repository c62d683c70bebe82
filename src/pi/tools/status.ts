// Owns the tool a2a_status: ask after a task that was dispatched earlier, once or until it ends.

import type { ToolDefinition } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { guardTool } from "../guard.ts";
import type { CallDetails, ToolDeps } from "./tool-deps.ts";
import { drawCall, drawResult } from "./tool-row.ts";

const parameters = Type.Object({
  agent: Type.String({ description: "The peer that runs the task: its name or URL, as in the call." }),
  task_id: Type.String({ description: "The task id that a2a_call returned." }),
  wait_seconds: Type.Optional(
    Type.Number({ description: "Wait until the task ends or asks something, at most this many seconds.", minimum: 0 }),
  ),
});

/** A failed task is a result here, not an error: the question was how it stands. Esc ends the wait only. */
export function statusTool(deps: ToolDeps): ToolDefinition<typeof parameters, CallDetails> {
  return {
    name: "a2a_status",
    label: "A2A status",
    description: "Read the state and the result of a task that was handed to another agent earlier, by its task id.",
    promptSnippet: "a2a_status: read the state and result of a task dispatched with a2a_call",
    parameters,
    execute: (_id, params, signal, onUpdate) =>
      guardTool(deps.log, "a2a_status", async () => {
        const { useStatus } = await import("./uses.ts");
        return useStatus(deps, { params, signal, onUpdate });
      }),
    renderCall: (args, theme) => drawCall("a2a_status", args.agent, args.task_id, theme),
    renderResult: (result, options, theme) => drawResult(result, options, theme),
  };
}
