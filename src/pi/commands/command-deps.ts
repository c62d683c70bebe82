// What the commands get from the wiring. Types only.

import type { LoadedSettings } from "../../core/config/settings.ts";
import type { ServerControl } from "../server-control.ts";
import type { Services } from "../services.ts";
import type { ToolDeps } from "../tools/tool-deps.ts";
import type { SettingsWarnings } from "../ui/settings-warnings.ts";
import type { Notes } from "../ui/transcript-notes.ts";

export interface CommandDeps extends ToolDeps {
  readonly server: () => Promise<ServerControl>;
  readonly settings: () => Promise<LoadedSettings>;
  readonly warnings: SettingsWarnings;
  readonly workspace: () => Promise<string>;
  readonly audit: () => Promise<Services["audit"]>;
  readonly notes: Notes;
  /** Names for completion; must be quick, so it may be empty until settings were read once. */
  readonly peerNames: () => readonly string[];
}
