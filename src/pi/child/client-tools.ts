// The tools with which a child hands work to other agents: those of the host, bound to the chain that the child's own work came
// by. A child is never a server. What its model names as an address was typed by nobody.

import type { ToolDefinition } from "@mariozechner/pi-coding-agent";
import * as Pi from "@mariozechner/pi-coding-agent";
import type { CallChain } from "../../core/ports.ts";
import type { A2aClient } from "../../outbound/client-types.ts";
import { callTool } from "../tools/call.ts";
import { discoverTool } from "../tools/discover.ts";
import { statusTool } from "../tools/status.ts";
import type { ToolDeps } from "../tools/tool-deps.ts";

export function clientTools(deps: ToolDeps, chain: CallChain | undefined): ToolDefinition[] {
  const bound = chain === undefined ? deps : { ...deps, client: async () => onChain(await deps.client(), chain) };
  return [Pi.defineTool(callTool(bound)), Pi.defineTool(statusTool(bound)), Pi.defineTool(discoverTool(bound))];
}

/** The client, with every request a part of the chain. */
function onChain(client: A2aClient, chain: CallChain): A2aClient {
  return {
    ...client,
    call: (request) => client.call({ ...request, chain }),
    status: (request) => client.status({ ...request, chain }),
    discover: (target, options) => client.discover(target, { ...options, chain }),
    cancel: (agent, taskId, options) => client.cancel(agent, taskId, { ...options, chain }),
  };
}
