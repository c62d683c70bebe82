// Whole settings with the server's part as a test wants it, everything else at its default.

import { buildSettings } from "../../src/core/config/build-settings.ts";
import { mergeLayers } from "../../src/core/config/layer.ts";
import type { ServerSettings, Settings } from "../../src/core/config/settings.ts";

export function settingsWith(server: Partial<ServerSettings> = {}): Settings {
  const { settings } = buildSettings(mergeLayers([]));
  return { ...settings, server: { ...settings.server, ...server } };
}
