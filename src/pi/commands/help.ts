// Owns /a2a-help.

import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { showText } from "../ui/show-text.ts";
import type { CommandDeps } from "./command-deps.ts";

export interface HelpEntry {
  readonly usage: string;
  readonly text: string;
}

export const COMMAND_HELP: readonly HelpEntry[] = [
  {
    usage: "/a2a-send <agent> [--context <id>] [--task <id>] <message>",
    text: "send a task to a peer (name or URL), or go on in a conversation with it",
  },
  { usage: "/a2a-cancel <agent> <task id>", text: "end a task on a peer" },
  { usage: "/a2a-discover <url or host>", text: "read an agent's card" },
  { usage: "/a2a-server start|stop|status", text: "let other agents call this session" },
  { usage: "/a2a-status", text: "server, calls and tasks in numbers" },
  { usage: "/a2a-help", text: "this page" },
];

export async function runHelp(_deps: CommandDeps, _args: string, ctx: ExtensionCommandContext): Promise<void> {
  showText(ctx, helpText());
}

function helpText(): string {
  return [
    "A2A: hand tasks to other agents, and let other agents hand tasks to this session.",
    ...COMMAND_HELP.map((entry) => `  ${entry.usage}: ${entry.text}`),
    'The model uses a2a_call, a2a_status, a2a_cancel and a2a_discover: say "ask the agent at <url> to …".',
    "Peers and the server are set under the key a2a of settings.json in Pi's agent folder.",
  ].join("\n");
}
