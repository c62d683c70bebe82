// The list of the slash commands: what Pi shows and completes. What they do is loaded when one of them runs.

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import type { AutocompleteItem } from "@mariozechner/pi-tui";
import { guardCommand } from "../guard.ts";
import type { CommandDeps } from "./command-deps.ts";
import { complete, completePeers } from "./completions.ts";

type Runs = typeof import("./runs.ts");

interface Command {
  readonly name: string;
  readonly description: string;
  readonly complete?: (typed: string, deps: CommandDeps) => AutocompleteItem[] | null;
  readonly run: keyof Runs;
}

const SERVER_CHOICES = [
  ["start", "Let other agents call this session"],
  ["stop", "End inbound tasks and free the port"],
  ["status", "Address, slots and running tasks"],
] as const;

const COMMANDS: readonly Command[] = [
  {
    name: "a2a-send",
    description: "Send a task to a peer, or go on with --context <id>: /a2a-send <agent> <message>",
    complete: (typed, deps) => completePeers(typed, deps.peerNames(), " "),
    run: "runSend",
  },
  {
    name: "a2a-cancel",
    description: "End a task on a peer: /a2a-cancel <agent> <task id>",
    complete: (typed, deps) => completePeers(typed, deps.peerNames(), " "),
    run: "runCancel",
  },
  {
    name: "a2a-discover",
    description: "Fetch an agent's card: /a2a-discover <url or host>",
    complete: (typed, deps) => completePeers(typed, deps.peerNames(), ""),
    run: "runDiscover",
  },
  {
    name: "a2a-server",
    description: "Manage the inbound A2A server: start, stop, status",
    complete: (typed) => complete(typed, SERVER_CHOICES),
    run: "runServer",
  },
  {
    name: "a2a-status",
    description: "A2A metrics and server status",
    run: "runStatus",
  },
  { name: "a2a-help", description: "How to use A2A in Pi", run: "runHelp" },
];

export function registerCommands(pi: ExtensionAPI, deps: CommandDeps): void {
  for (const { name, description, complete, run } of COMMANDS) {
    pi.registerCommand(name, {
      description,
      ...(complete === undefined ? {} : { getArgumentCompletions: (typed: string) => complete(typed, deps) }),
      handler: guardCommand(deps.log, name, async (args, ctx) => {
        const runs = await import("./runs.ts");
        await runs[run](deps, args, ctx);
      }),
    });
  }
}
