// Composition root of the extension: registers tools, commands and events in the factory, where nothing may open a socket,
// a timer or a file; starts and stops the services with the host's sessions.

import { fileURLToPath } from "node:url";
import type { ExtensionAPI, SessionShutdownEvent } from "@mariozechner/pi-coding-agent";
import type { LoadedSettings } from "../core/config/settings.ts";
import { createSystemClock } from "../core/platform/clock.ts";
import { createRandomIds } from "../core/platform/ids.ts";
import { createLog } from "../core/platform/log.ts";
import { registerCommands } from "./commands/index.ts";
import { explain, guardEvent } from "./guard.ts";
import { readLaunchArgs } from "./host/launch-args.ts";
import { processState } from "./host/process-state.ts";
import type { Services } from "./services.ts";
import { startedText } from "./text/server-text.ts";
import { registerTools } from "./tools/index.ts";
import { showText } from "./ui/show-text.ts";
import { createNotes } from "./ui/transcript-notes.ts";

const OWN_PACKAGE_DIR = fileURLToPath(new URL("../..", import.meta.url));

export function wire(pi: ExtensionAPI): void {
  const state = processState();
  const clock = createSystemClock();
  const log = createLog(clock, createRandomIds().token);
  const notes = createNotes(pi, clock, () => state.host.isIdle());
  state.generation++;
  let peerNames: readonly string[] = [];

  const services = (): Promise<Services> => {
    state.services ??= import("./services.ts").then(({ createServices }) =>
      createServices({ host: state.host, clock, log }),
    );
    const made = state.services;
    made.catch(() => {
      if (state.services === made) state.services = undefined;
    });
    return made;
  };
  const settings = async (): Promise<LoadedSettings> => {
    const loaded = await (await services()).reloadSettings();
    peerNames = Object.keys(loaded.settings.peers);
    return loaded;
  };

  const toolDeps = {
    clock,
    log,
    client: async () => {
      await settings();
      return (await services()).client;
    },
    replies: async () => (await services()).replies,
  };
  registerTools(pi, toolDeps);
  registerCommands(pi, {
    ...toolDeps,
    notes,
    settings,
    peerNames: () => peerNames,
    server: async () => (await services()).server,
    workspace: async () => (await services()).workspace(),
  });

  pi.on(
    "session_start",
    guardEvent(log, "session_start", async (_event, ctx) => {
      const launch = { ...readLaunchArgs(process.argv, process.cwd()), ownPackageDir: OWN_PACKAGE_DIR };
      state.host.bind({ pi, ctx, notes, launch });
      const { settings: current, warnings } = await settings();
      for (const warning of warnings) showText(ctx, `A2A setting not taken: ${warning.text}`, "warning");
      if (!current.server.enabled) return;
      try {
        const { report, already } = await (await services()).server.start();
        if (!already) showText(ctx, startedText(report, false));
      } catch (error) {
        const reason = explain(log, "The A2A server's start", error);
        showText(ctx, `The A2A server did not start; outbound calls still work.\n${reason}`, "warning");
      }
    }),
  );
  pi.on(
    "session_shutdown",
    guardEvent<SessionShutdownEvent>(log, "session_shutdown", async (event) => {
      state.host.release(pi);
      notes.close();
      if (event.reason !== "quit") return;
      const ending = state.services;
      state.services = undefined;
      if (ending !== undefined) await (await ending).stop("the Pi session that ran this task was closed");
    }),
  );
}
