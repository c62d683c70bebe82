// Owns what happens when the host's session starts and ends. A start may come twice, or never; an end may come without a start.

import type {
  BeforeAgentStartEvent,
  ExtensionAPI,
  ExtensionContext,
  SessionShutdownEvent,
  SessionStartEvent,
} from "@mariozechner/pi-coding-agent";
import type { Log } from "../../core/platform/log.ts";
import { explain, guardEvent } from "../guard.ts";
import type { Services } from "../services.ts";
import type { ServicesHolder } from "../services-holder.ts";
import type { SettingsWarnings } from "../ui/settings-warnings.ts";
import { showText } from "../ui/show-text.ts";
import type { Notes } from "../ui/transcript-notes.ts";
import { stopAbandonedRun } from "./abandoned-run.ts";
import type { FirstLook } from "./first-look.ts";
import type { LiveHost, LiveSession } from "./live-host.ts";

export interface SessionEventsDeps {
  readonly host: LiveHost;
  readonly log: Log;
  readonly notes: Notes;
  readonly launch: LiveSession["launch"];
  readonly holder: ServicesHolder;
  readonly warnings: SettingsWarnings;
  /** What the session needs at once while there are no services. */
  readonly look: () => Promise<FirstLook>;
  /** Reads the settings and remembers what the completions need. */
  readonly loadSettings: () => ReturnType<Services["reloadSettings"]>;
}

export function registerSessionEvents(pi: ExtensionAPI, deps: SessionEventsDeps): void {
  const { host, log, notes, launch, holder } = deps;
  const begin = async (event: SessionStartEvent, ctx: ExtensionContext): Promise<void> => {
    holder.sessionIsBack();
    host.bind({ pi, ctx, notes, launch });
    if (event.reason === "reload") await holder.succeed();
    if (!holder.has() && !(await needsServices(ctx))) return;
    const { settings, warnings } = await deps.loadSettings();
    deps.warnings.show(ctx, warnings);
    if (settings.server.enabled) {
      const { startServer } = await import("../start-server.ts");
      await startServer(ctx, log, settings, await holder.get());
    }
    await (await holder.get()).dispatched.resume();
  };
  const needsServices = async (ctx: ExtensionContext): Promise<boolean> => {
    const look = await deps.look();
    deps.warnings.show(ctx, look.loaded?.warnings ?? []);
    return look.needsServices;
  };
  const start = async (event: SessionStartEvent, ctx: ExtensionContext): Promise<void> => {
    try {
      await begin(event, ctx);
    } catch (error) {
      showText(ctx, explain(log, "The start of A2A", error), "error");
    }
  };
  // A host that uses Pi's SDK may never send session_start; what runs there is a session all the same.
  const adopt = (_event: BeforeAgentStartEvent, ctx: ExtensionContext): void => {
    if (host.current() === undefined) host.bind({ pi, ctx, notes, launch });
  };
  const shutdown = async (event: SessionShutdownEvent): Promise<void> => {
    host.release(pi);
    notes.close();
    deps.warnings.forget();
    if (event.reason === "quit") await holder.end("the Pi session that ran this task was closed");
    else holder.awaitSession();
  };
  stopAbandonedRun(pi, log);
  pi.on("session_start", guardEvent(log, "session_start", start));
  pi.on("before_agent_start", guardEvent(log, "before_agent_start", adopt));
  pi.on("session_shutdown", guardEvent(log, "session_shutdown", shutdown));
}
