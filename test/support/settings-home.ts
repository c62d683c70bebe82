// A home folder with Pi's agent folder and a checked-out repository, whose settings files a test writes.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Environment } from "../../src/core/config/env.ts";
import type { Layer } from "../../src/core/config/layer.ts";
import { loadSettings } from "../../src/core/config/load.ts";
import type { LoadedSettings } from "../../src/core/config/settings.ts";
import { createFilesPort } from "../../src/core/platform/files.ts";
import { createTempDir } from "./temp-dir.ts";

export interface LoadOptions {
  readonly env?: Environment;
  readonly trusted?: boolean;
  readonly cwd?: string;
  readonly edits?: Layer;
  readonly variable?: (name: string) => string | undefined;
}

export type SettingsHome = Awaited<ReturnType<typeof createSettingsHome>>;

export async function createSettingsHome() {
  const temp = await createTempDir();
  const agentDir = join(temp.path, "home", ".pi", "agent");
  const repository = join(temp.path, "home", "work", "repo");
  await mkdir(agentDir, { recursive: true });
  await mkdir(repository, { recursive: true });
  /** Every file that was asked for by the last load. */
  const reads: string[] = [];
  const write = async (path: string, text: string): Promise<string> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  };
  return {
    agentDir,
    repository,
    reads,
    /** Writes `a2a` into the global settings file; gives its path. */
    global: (a2a: unknown) => write(join(agentDir, "settings.json"), JSON.stringify({ theme: "dark", a2a })),
    /** Writes `a2a` into the repository's own settings file, or that of another folder; gives its path. */
    repo: (a2a: unknown, folder = repository) =>
      write(join(folder, ".pi", "settings.json"), JSON.stringify({ theme: "light", a2a })),
    envLocal: (text: string, folder = agentDir) => write(join(folder, ".env.local"), text),
    write,
    load({ env = {}, trusted = true, cwd = repository, edits, variable }: LoadOptions = {}): Promise<LoadedSettings> {
      const port = createFilesPort();
      reads.length = 0;
      const readText: typeof port.readText = (path, options) => {
        reads.push(path);
        return port.readText(path, options);
      };
      return loadSettings({
        files: { ...port, readText },
        agentDir,
        env,
        session: { cwd, projectTrusted: trusted },
        ...(variable === undefined ? {} : { variable }),
        ...(edits === undefined ? {} : { edits }),
      });
    },
    remove: () => temp.remove(),
  };
}

export function textsOf({ warnings }: LoadedSettings): string[] {
  return warnings.map((warning) => warning.text);
}

/** As plain objects: what has names of people and peers as keys has no prototype. */
export function plainSettings({ settings }: LoadedSettings): LoadedSettings["settings"] {
  return JSON.parse(JSON.stringify(settings));
}

/** The `a2a` value with this one setting; `*` becomes `name`. */
export function blockWith(key: string, value: unknown, name = "x"): Record<string, unknown> {
  return key
    .split(".")
    .reduceRight<unknown>((inner, step) => ({ [step === "*" ? name : step]: inner }), value) as Record<string, unknown>;
}
