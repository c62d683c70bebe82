// The list of the slash commands.

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { cancelCommand } from "./cancel.ts";
import type { CommandDeps } from "./command-deps.ts";
import { discoverCommand } from "./discover.ts";
import { helpCommand } from "./help.ts";
import { sendCommand } from "./send.ts";
import { serverCommand } from "./server.ts";
import { statusCommand } from "./status.ts";

export function registerCommands(pi: ExtensionAPI, deps: CommandDeps): void {
  pi.registerCommand("a2a-send", sendCommand(deps));
  pi.registerCommand("a2a-cancel", cancelCommand(deps));
  pi.registerCommand("a2a-discover", discoverCommand(deps));
  pi.registerCommand("a2a-server", serverCommand(deps));
  pi.registerCommand("a2a-status", statusCommand(deps));
  pi.registerCommand("a2a-help", helpCommand(deps));
}
