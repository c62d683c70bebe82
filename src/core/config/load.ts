// Owns the order of the settings' sources (DESIGN §10): defaults, then the global settings file, then the environment.

import { join } from "node:path";
import type { FilesPort } from "../platform/files.ts";
import { buildSettings } from "./build-settings.ts";
import { type Environment, layerFromEnvironment } from "./env.ts";
import { mergeLayers } from "./layer.ts";
import type { LoadedSettings } from "./settings.ts";
import { layerFromSettingsFile } from "./settings-file.ts";

export interface LoadInput {
  readonly files: FilesPort;
  /** Pi's agent folder, which holds the global settings.json. */
  readonly agentDir: string;
  readonly env: Environment;
}

/** The settings as of now. Never throws: what cannot be used is a warning, and the next weaker source counts. */
export async function loadSettings({ files, agentDir, env }: LoadInput): Promise<LoadedSettings> {
  const global = await layerFromSettingsFile(files, join(agentDir, "settings.json"));
  return buildSettings(mergeLayers([global, layerFromEnvironment(env)]));
}
