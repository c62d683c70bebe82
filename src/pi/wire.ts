// Composition root of the extension: registers tools, commands and events in the factory, where nothing may open a socket,
// a timer or a file. The heavy parts come with the first use.

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import type { LoadedSettings } from "../core/config/settings.ts";
import { createSystemClock } from "../core/platform/clock.ts";
import { createRandomIds } from "../core/platform/ids.ts";
import { createLog } from "../core/platform/log.ts";
import { registerCommands } from "./commands/index.ts";
import { type FirstLook, lookFirst } from "./host/first-look.ts";
import { readLaunchArgs } from "./host/launch-args.ts";
import { processState } from "./host/process-state.ts";
import { registerSessionEvents } from "./host/session-events.ts";
import { createServicesHolder } from "./services-holder.ts";
import { registerTools } from "./tools/index.ts";
import { createSettingsWarnings } from "./ui/settings-warnings.ts";
import { createNotes } from "./ui/transcript-notes.ts";

/** `ownPackageDir` is the folder of our package.json. */
export function wire(pi: ExtensionAPI, ownPackageDir: string): void {
  const state = processState();
  const { host } = state;
  const clock = createSystemClock();
  // The rules come with the services; before those, nobody reads the log.
  let redact = (_text: string): string => "(not shown before the services have started)";
  const log = createLog(clock, createRandomIds().token, { redact: (text) => redact(text) });
  const notes = createNotes(pi, clock, () => host.isIdle());
  const warnings = createSettingsWarnings();
  const holder = createServicesHolder(state, {
    clock,
    log,
    onMade: ({ redaction }) => {
      redact = redaction.text;
    },
  });

  let peerNames: readonly string[] = [];
  const remember = (loaded: LoadedSettings | undefined): void => {
    peerNames = Object.keys(loaded?.settings.peers ?? {});
  };
  const loadSettings = async (): Promise<LoadedSettings> => {
    const loaded = await (await holder.get()).reloadSettings();
    remember(loaded);
    return loaded;
  };
  const look = async (): Promise<FirstLook> => {
    const found = await lookFirst({ clock, host });
    remember(found.loaded);
    return found;
  };
  const toolDeps = {
    clock,
    log,
    async client() {
      await loadSettings();
      return (await holder.get()).client;
    },
    replies: async () => (await holder.get()).replies,
    dispatched: async () => (await holder.get()).dispatched,
    outgoing: async (cwd: string, paths: readonly string[]) => (await holder.get()).outgoing(cwd, paths),
  };
  registerTools(pi, toolDeps);
  registerCommands(pi, {
    ...toolDeps,
    notes,
    settings: loadSettings,
    warnings,
    peerNames: () => peerNames,
    server: async () => (await holder.get()).server,
    workspace: async () => (await holder.get()).workspace(),
    audit: async () => (await holder.get()).audit,
  });
  const launch = { ...readLaunchArgs(process.argv, process.cwd()), ownPackageDir };
  registerSessionEvents(pi, { host, log, notes, launch, holder, warnings, look, loadSettings });
}
