// Owns where the files with settings lie.

import { join } from "node:path";

/** The file that the person edits, and the panel writes. */
export function globalSettingsPath(agentDir: string): string {
  return join(agentDir, "settings.json");
}

/** The operator's variables. */
export function envFilePath(agentDir: string): string {
  return join(agentDir, ".env.local");
}

/** The settings that a repository brings along. */
export function repositorySettingsPath(cwd: string): string {
  return join(cwd, ".pi", "settings.json");
}
