// Owns /a2a-status: the server, and what went out and came in.

import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { describeError } from "../../core/platform/errors.ts";
import { openTasksLines } from "../text/dispatched-text.ts";
import { auditText, metricsText } from "../text/server-text.ts";
import { showText } from "../ui/show-text.ts";
import type { CommandDeps } from "./command-deps.ts";

export async function runStatus(deps: CommandDeps, _args: string, ctx: ExtensionCommandContext): Promise<void> {
  const [server, client, loaded, audit, open] = await Promise.all([
    deps.server(),
    deps.client(),
    deps.settings(),
    deps.audit(),
    dispatchedLines(deps),
  ]);
  const lines = [
    metricsText(server.report(), client.stats()),
    ...open,
    auditText(audit.path, audit.problem()),
    ...loaded.warnings.map((warning) => `Setting not taken: ${warning.text}`),
  ];
  showText(ctx, lines.join("\n"));
}

/** Everything else is told also where the folder of the dispatched tasks cannot be read. */
async function dispatchedLines({ dispatched, clock }: CommandDeps): Promise<string[]> {
  const { open } = await dispatched();
  return open().then(
    (tasks) => openTasksLines(tasks, clock.now()),
    (error: unknown) => [`Dispatched tasks: ${describeError(error)}`],
  );
}
