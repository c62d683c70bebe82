// What a child session has around it: the host's other extensions (packages, project-local, -e), skills and context files.
// Extensions are looked for and chosen before anything is loaded; the host installed its packages when it started, so a child
// leaves missing ones out instead of fetching them.

import { isAbsolute, relative } from "node:path";
import type { Extension, ResourceLoader, SettingsManager } from "@mariozechner/pi-coding-agent";
import * as Pi from "@mariozechner/pi-coding-agent";
import type { Log } from "../../core/platform/log.ts";
import type { HostSession } from "../host/host-port.ts";
import { ownPackageTest } from "./own-package.ts";

/** A command that only this package, or an older one of the same kind, registers. */
const SERVER_COMMAND = "a2a-server";

export interface ChildResources {
  readonly loader: ResourceLoader;
  /** The user's settings as Pi reads them for this folder; read only. */
  readonly fileSettings: SettingsManager;
}

/** A loader belongs to one session and is never shared. */
export async function loadResources(cwd: string, host: HostSession, log: Log): Promise<ChildResources> {
  const { agentDir } = host;
  const fileSettings = Pi.SettingsManager.create(cwd, agentDir);
  applyTrust(fileSettings, host.projectTrusted && isWithin(host.cwd, cwd));
  // The loader would read them again at once, each file under a lock.
  fileSettings.reload = () => Promise.resolve();
  const { extensions, skills } = await findExtensions(cwd, host, fileSettings);
  const loader = new Pi.DefaultResourceLoader({
    cwd,
    agentDir,
    settingsManager: fileSettings,
    noExtensions: true,
    additionalExtensionPaths: extensions,
    additionalSkillPaths: skills,
    noPromptTemplates: true,
    noThemes: true,
    // Catches a second copy of this package elsewhere on the disk, and its predecessor.
    extensionsOverride: (base) => ({ ...base, extensions: base.extensions.filter((loaded) => !serves(loaded)) }),
  });
  await loader.reload();
  for (const { path, error } of loader.getExtensions().errors) log.warn(`child session: ${path}: ${error}`);
  return { loader, fileSettings };
}

async function findExtensions(cwd: string, host: HostSession, settingsManager: SettingsManager) {
  const manager = new Pi.DefaultPackageManager({ cwd, agentDir: host.agentDir, settingsManager });
  const given = await manager.resolveExtensionSources([...host.extensionPaths], { temporary: true });
  const found = host.discoverExtensions ? (await manager.resolve(async () => "skip")).extensions : [];
  const isOwn = ownPackageTest(host.ownPackageDir);
  const enabled = (resources: readonly { path: string; enabled: boolean }[]): string[] =>
    resources.filter((resource) => resource.enabled).map(({ path }) => path);
  const extensions = enabled([...given.extensions, ...found]).filter((path) => !isOwn(path));
  return { extensions: [...new Set(extensions)], skills: enabled(given.skills) };
}

/** 0.73.1 knows no project trust and loads everything in the project. */
function applyTrust(settings: SettingsManager, trusted: boolean): void {
  if ("setProjectTrusted" in settings && typeof settings.setProjectTrusted === "function") {
    settings.setProjectTrusted(trusted);
  }
}

/** The host's trust is about its own folder and what lies in it, not about another workspace. */
function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way.startsWith("..") || isAbsolute(way));
}

function serves(extension: Extension): boolean {
  return extension.commands.has(SERVER_COMMAND);
}
