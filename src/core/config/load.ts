// Owns the order of the settings' sources (DESIGN §10), the weakest first: defaults, the repository's safe keys, the global
// settings file, its block for the session's folder, the global .env.local, the process environment, the edits of this session.

import type { FilesPort } from "../platform/files.ts";
import { buildSettings } from "./build-settings.ts";
import type { Environment } from "./env.ts";
import { readEnvFile } from "./env-file.ts";
import { layerFromEnvironment } from "./env-layer.ts";
import { layerFromFile } from "./file-layer.ts";
import { type Layer, mergeLayers } from "./layer.ts";
import { envFilePath, globalSettingsPath, repositorySettingsPath } from "./paths.ts";
import { projectLayers } from "./project-layers.ts";
import { repositoryLayer } from "./repository-layer.ts";
import type { LoadedSettings } from "./settings.ts";
import { readSettingsFile, type SettingsFile } from "./settings-file.ts";

export interface LoadInput {
  readonly files: FilesPort;
  /** Pi's agent folder, which holds the global settings.json and .env.local. */
  readonly agentDir: string;
  readonly env: Environment;
  /** Any variable of the process environment; absent = there are no others than those in `env`. */
  readonly variable?: (name: string) => string | undefined;
  /** The session's folder: its own block counts and, where the host trusts the project, its repository's file. */
  readonly session?: { readonly cwd: string; readonly projectTrusted: boolean };
  /** The edits of this session. */
  readonly edits?: Layer;
}

/** The settings as of now. Never throws: what cannot be used is a warning, and the next weaker source counts. */
export async function loadSettings(input: LoadInput): Promise<LoadedSettings> {
  const { files, agentDir, env, session } = input;
  const path = globalSettingsPath(agentDir);
  const [global, envFile, repository] = await Promise.all([
    readSettingsFile(files, path, "global"),
    readEnvFile(files, envFilePath(agentDir)),
    session?.projectTrusted === true ? readRepository(files, path, session.cwd) : undefined,
  ]);
  const projects = session === undefined ? [] : await projectLayers(files, global.block, session.cwd);
  const edits = input.edits === undefined ? [] : [input.edits];
  const operator = [globalLayer(global), ...projects, envFile.layer, layerFromEnvironment(env), ...edits];
  const names = new Set(operator.flatMap((layer) => layer.peers));
  const weakest = repository === undefined ? [] : [repositoryLayer(repository, names)];
  const variable = (name: string): string | undefined => input.variable?.(name) ?? envFile.variable(name);
  return buildSettings(mergeLayers([...weakest, ...operator]), variable);
}

function globalLayer({ block, faults }: SettingsFile): Layer {
  const layer = layerFromFile(block);
  return { ...layer, faults: [...faults, ...layer.faults] };
}

/** Undefined when that file is the global one, which is the operator's wherever it lies. */
async function readRepository(files: FilesPort, globalPath: string, cwd: string): Promise<SettingsFile | undefined> {
  const path = repositorySettingsPath(cwd);
  const [own, global] = await Promise.all([realPath(files, path), realPath(files, globalPath)]);
  return own === global ? undefined : await readSettingsFile(files, path, "repository");
}

/** As written when it leads nowhere. */
function realPath(files: FilesPort, path: string): Promise<string> {
  return files.realPath(path).then(
    (real) => real ?? path,
    () => path,
  );
}
