// Owns what a starting session needs of us at once, so that one that needs nothing loads next to nothing: the settings only where
// somebody has set something, the services only for a server that is on or a dispatched task of this session.

import { hasOurVariables } from "../../core/config/env.ts";
import type { LoadedSettings } from "../../core/config/settings.ts";
import { settingsUntouched } from "../../core/config/untouched.ts";
import type { Clock } from "../../core/platform/clock.ts";
import { createFilesPort, type FilesPort } from "../../core/platform/files.ts";
import { mayHaveDispatched } from "../dispatched/dispatch-folder.ts";
import type { HostSession } from "./host-port.ts";
import type { LiveHost } from "./live-host.ts";

export interface FirstLook {
  /** Absent when all of them have their defaults. */
  readonly loaded?: LoadedSettings;
  /** Whether there is something to start or to go on with. */
  readonly needsServices: boolean;
}

export interface LookDeps {
  readonly clock: Pick<Clock, "now">;
  readonly host: Pick<LiveHost, "current" | "hasUi" | "sessionKey">;
}

/** Looks for the live session. Throws FILE_FAILED when the folder of the dispatched tasks cannot be read. */
export async function lookFirst({ clock, host }: LookDeps): Promise<FirstLook> {
  const session = host.current();
  if (session === undefined) return { needsServices: false };
  const files = createFilesPort();
  const loaded = await readIfTouched(files, session);
  const { server, ui } = loaded?.settings ?? {};
  const needsServices =
    server?.enabled === true ||
    (ui?.wake !== "off" && host.hasUi() && (await hasDispatched(files, session.agentDir, clock, host.sessionKey())));
  return { needsServices, ...(loaded === undefined ? {} : { loaded }) };
}

async function readIfTouched(files: FilesPort, session: HostSession): Promise<LoadedSettings | undefined> {
  const { agentDir, cwd, projectTrusted } = session;
  const variables = hasOurVariables();
  if (await settingsUntouched({ files, agentDir, cwd, projectTrusted, variables })) return undefined;
  const { readSettings } = await import("../read-settings.ts");
  return readSettings(files, session);
}

async function hasDispatched(
  files: FilesPort,
  agentDir: string,
  { now }: Pick<Clock, "now">,
  session: string | undefined,
): Promise<boolean> {
  if (session === undefined || !(await mayHaveDispatched(files, agentDir))) return false;
  const { createDispatchFiles } = await import("../dispatched/dispatch-files.ts");
  const tasks = await createDispatchFiles(files, agentDir, now).list();
  return tasks.some((task) => task.session === session);
}
