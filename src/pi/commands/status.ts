// Owns /a2a-status: the server, and what went out and came in.

import type { RegisteredCommand } from "@mariozechner/pi-coding-agent";
import { guardCommand } from "../guard.ts";
import { openTasksLines } from "../text/dispatched-text.ts";
import { auditText, metricsText } from "../text/server-text.ts";
import { showText } from "../ui/show-text.ts";
import type { CommandDeps } from "./command-deps.ts";

export function statusCommand(deps: CommandDeps): Omit<RegisteredCommand, "name" | "sourceInfo"> {
  return {
    description: "A2A metrics and server status",
    handler: guardCommand(deps.log, "a2a-status", async (_args, ctx) => {
      const [server, client, loaded, audit, open] = await Promise.all([
        deps.server(),
        deps.client(),
        deps.settings(),
        deps.audit(),
        deps.dispatched().then((dispatched) => dispatched.open()),
      ]);
      const lines = [
        metricsText(server.report(), client.stats()),
        ...openTasksLines(open, deps.clock.now()),
        auditText(audit.path, audit.problem()),
        ...loaded.warnings.map((warning) => `Setting not taken: ${warning.text}`),
      ];
      showText(ctx, lines.join("\n"));
    }),
  };
}
