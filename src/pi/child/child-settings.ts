// The settings of a child session: the user's, held in memory, so that nothing a child or its extensions do is written to the
// user's files. Compaction and retry are ours: a child works alone and within a window.

import type { SettingsManager } from "@mariozechner/pi-coding-agent";
import * as Pi from "@mariozechner/pi-coding-agent";
import { compactionFor } from "./keep-window.ts";

type PiSettings = NonNullable<Parameters<typeof SettingsManager.inMemory>[0]>;

/** The caller waits: two more tries, on top of those of the provider's own client, and then the real reason. */
const RETRY = { enabled: true, maxRetries: 2, baseDelayMs: 500 } as const;

/** `files` are the settings as Pi reads them for the child's folder. */
export function childSettings(files: SettingsManager, contextWindow: number): SettingsManager {
  const settings = merge(files.getGlobalSettings(), files.getProjectSettings());
  const provider = settings.retry?.provider;
  return Pi.SettingsManager.inMemory({
    ...settings,
    compaction: compactionFor(contextWindow),
    retry: provider === undefined ? RETRY : { ...RETRY, provider },
  });
}

/** The project's values over the user's, one level deep, as Pi does it. */
function merge(user: PiSettings, project: PiSettings): PiSettings {
  const merged = new Map<string, unknown>(Object.entries(user));
  for (const [key, value] of Object.entries(project)) {
    const below = merged.get(key);
    merged.set(key, isPlain(below) && isPlain(value) ? { ...below, ...value } : value);
  }
  return Object.fromEntries(merged);
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
