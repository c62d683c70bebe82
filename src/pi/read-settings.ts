// Owns which sources the settings of the live session come from.

import { readEnvironment, readVariable } from "../core/config/env.ts";
import { VARIABLE_NAMES } from "../core/config/env-layer.ts";
import type { Layer } from "../core/config/layer.ts";
import { loadSettings } from "../core/config/load.ts";
import type { LoadedSettings } from "../core/config/settings.ts";
import type { FilesPort } from "../core/platform/files.ts";
import type { HostSession } from "./host/host-port.ts";

/** The settings as of now, with the `edits` that the person made in this session only. Never throws. */
export function readSettings(files: FilesPort, session: SettingsSession, edits?: Layer): Promise<LoadedSettings> {
  return loadSettings({
    ...{ files, agentDir: session.agentDir, session },
    env: readEnvironment(VARIABLE_NAMES),
    variable: readVariable,
    ...(edits === undefined ? {} : { edits }),
  });
}

type SettingsSession = Pick<HostSession, "agentDir" | "cwd" | "projectTrusted">;
