// Owns the tool a2a_discover: read another agent's card.

import type { ToolDefinition } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { toolError } from "../guard.ts";
import { discoveryText } from "../text/discovery-text.ts";
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
    async execute(_id, params, signal) {
      try {
        const client = await deps.client();
        const found = await client.discover(params.url, { typed: false, ...(signal === undefined ? {} : { signal }) });
        return { content: [{ type: "text", text: discoveryText(found) }], details: { url: found.cardUrl } };
      } catch (error) {
        throw toolError(deps.log, "a2a_discover", error);
      }
    },
    renderCall: (args, theme) => drawCall("a2a_discover", args.url, undefined, theme),
    renderResult: (result, options, theme) => drawResult(result, options, theme),
  };
}
