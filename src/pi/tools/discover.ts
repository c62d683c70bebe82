// Owns the tool a2a_discover: read another agent's card.

import type { ToolDefinition } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { guardTool } from "../guard.ts";
import type { ToolDeps } from "./tool-deps.ts";
import { drawCall, drawResult } from "./tool-row.ts";

const parameters = Type.Object({
  url: Type.String({ description: "The agent's http(s) URL, its card's URL, or a configured peer name." }),
});

export function discoverTool(deps: ToolDeps): ToolDefinition<typeof parameters, { readonly url: string }> {
  return {
    name: "a2a_discover",
    label: "A2A discover",
    description:
      "Fetch another agent's A2A card: who it is, what it can do, how it is called, what login it wants, and what would go wrong with calls.",
    promptSnippet: "a2a_discover: read another agent's card (name, skills, protocol)",
    parameters,
    execute: (_id, params, signal) =>
      guardTool(deps.log, "a2a_discover", async () => {
        const { useDiscover } = await import("./uses.ts");
        return useDiscover(deps, { params, signal });
      }),
    renderCall: (args, theme) => drawCall("a2a_discover", args.url, undefined, theme),
    renderResult: (result, options, theme) => drawResult(result, options, theme),
  };
}
