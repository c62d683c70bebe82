// Owns the tool a2a_cancel: end a task that was handed to a peer earlier (A2A 1.0 §3.1.5).

import type { ToolDefinition } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { guardTool } from "../guard.ts";
import type { CallDetails, ToolDeps } from "./tool-deps.ts";
import { drawCall, drawResult } from "./tool-row.ts";

const parameters = Type.Object({
  agent: Type.String({ description: "The peer that runs the task: its name or URL, as in the call." }),
  task_id: Type.String({ description: "The task id that a2a_call returned." }),
});

/** A task that goes on in spite of the request is a result that says so; one that had ended already is an error. */
export function cancelTool(deps: ToolDeps): ToolDefinition<typeof parameters, CallDetails> {
  return {
    name: "a2a_cancel",
    label: "A2A cancel",
    description:
      "End a task that was handed to another agent earlier, by its task id; what it has made so far is returned.",
    promptSnippet: "a2a_cancel: end a task dispatched with a2a_call that is no longer wanted",
    parameters,
    execute: (_id, params, signal) =>
      guardTool(deps.log, "a2a_cancel", async () => {
        const { useCancel } = await import("./uses.ts");
        return useCancel(deps, { params, signal });
      }),
    renderCall: (args, theme) => drawCall("a2a_cancel", args.agent, args.task_id, theme),
    renderResult: (result, options, theme) => drawResult(result, options, theme),
  };
}
