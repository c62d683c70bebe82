// Owns /a2a-status: the server, and what went out and came in.

import type { RegisteredCommand } from "@mariozechner/pi-coding-agent";
import { guardCommand } from "../guard.ts";
import { auditText, metricsText } from "../text/server-text.ts";
import { showText } from "../ui/show-text.ts";
import type { CommandDeps } from "./command-deps.ts";

export function statusCommand(deps: CommandDeps): Omit<RegisteredCommand, "name" | "sourceInfo"> {
  return {
    description: "A2A metrics and server status",
    handler: guardCommand(deps.log, "a2a-status", async (_args, ctx) => {
      const [server, client, loaded, audit] = await Promise.all([
        deps.server(),
        deps.client(),
        deps.settings(),
        deps.audit(),
      ]);
      const warnings = loaded.warnings.map((warning) => `Setting not taken: ${warning.text}`);
      showText(
        ctx,
        [metricsText(server.report(), client.stats()), auditText(audit.path, audit.problem()), ...warnings].join("\n"),
      );
    }),
  };
}
