// Owns the start of the server with the session, and what the person is told of it.

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Settings } from "../core/config/settings.ts";
import type { Log } from "../core/platform/log.ts";
import { explain } from "./guard.ts";
import type { Services } from "./services.ts";
import { admissionText } from "./text/admission-text.ts";
import { startedText, startLevel } from "./text/server-text.ts";
import { showText } from "./ui/show-text.ts";

/** Starts it unless it runs. Never throws: a server that does not start is told, and the session goes on without. */
export async function startServer(
  ctx: ExtensionContext,
  log: Log,
  settings: Settings,
  services: Services,
): Promise<void> {
  try {
    const { report, already } = await services.server.start();
    if (already) return;
    const admission = admissionText(settings, services.workspace(), report);
    showText(ctx, `${startedText(report, false)}\n${admission}`, startLevel(report));
  } catch (error) {
    const reason = explain(log, "The start of the A2A server", error);
    showText(ctx, `The A2A server did not start; outbound calls still work.\n${reason}`, "warning");
  }
}
