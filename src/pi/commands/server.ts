// Owns /a2a-server start|stop|status.

import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { A2aError } from "../../core/platform/errors.ts";
import { admissionText } from "../text/admission-text.ts";
import { serverText, startedText, stoppedText } from "../text/server-text.ts";
import { showText } from "../ui/show-text.ts";
import type { CommandDeps } from "./command-deps.ts";
import { firstWord } from "./words.ts";

export async function runServer(deps: CommandDeps, args: string, ctx: ExtensionCommandContext): Promise<void> {
  const server = await deps.server();
  const { word, rest } = firstWord(args);
  if (rest !== "") throw usage();
  switch (word) {
    case "start": {
      const { settings, warnings } = await deps.settings();
      deps.warnings.show(ctx, warnings);
      const { report, already } = await server.start();
      const text = startedText(report, already);
      const whole = already ? text : `${text}\n${admissionText(settings, await deps.workspace(), report)}`;
      showText(ctx, whole, report.keptProblems.length === 0 ? "info" : "warning");
      return;
    }
    case "stop":
      showText(ctx, stoppedText(await server.stop("the A2A server was stopped by its operator")));
      return;
    case "status":
    case "":
      showText(ctx, serverText(server.report()));
      return;
    default:
      throw usage();
  }
}

function usage(): A2aError {
  return new A2aError("INVALID_PARAMS", "Usage: /a2a-server start|stop|status", { hint: "" });
}
