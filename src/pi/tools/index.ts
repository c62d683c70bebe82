// The list of the tools that the model gets. What they do is loaded when it uses one.

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { callTool } from "./call.ts";
import { cancelTool } from "./cancel.ts";
import { discoverTool } from "./discover.ts";
import { statusTool } from "./status.ts";
import type { ToolDeps } from "./tool-deps.ts";

export function registerTools(pi: ExtensionAPI, deps: ToolDeps): void {
  pi.registerTool(callTool(deps));
  pi.registerTool(statusTool(deps));
  pi.registerTool(cancelTool(deps));
  pi.registerTool(discoverTool(deps));
}
