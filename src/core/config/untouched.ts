// Owns the quick look that most starts end with: nobody has set anything of ours anywhere. It must know as few files as can be, since
// every session waits for it. In doubt it says no, and the settings are loaded as usual, which also tells what is wrong with them.

import type { FilesPort } from "../platform/files.ts";
import { isObject, parseJson } from "../platform/json.ts";
import { envFilePath, globalSettingsPath, repositorySettingsPath } from "./paths.ts";

/** Larger files are left to the loader. */
const MAX_BYTES = 256 * 1024;

export interface LookInput {
  readonly files: Pick<FilesPort, "readText" | "stat">;
  readonly agentDir: string;
  /** The session's folder; its repository's file counts where the host trusts the project. */
  readonly cwd: string;
  readonly projectTrusted: boolean;
  /** Whether the process environment has variables of ours. */
  readonly variables: boolean;
}

/** True only when every setting has its default and there is nothing to warn of. Never throws. */
export async function settingsUntouched(input: LookInput): Promise<boolean> {
  const { files, agentDir, cwd, projectTrusted, variables } = input;
  if (variables) return false;
  const looks = [
    saysNothing(files, globalSettingsPath(agentDir)),
    isMissing(files, envFilePath(agentDir)),
    projectTrusted ? saysNothing(files, repositorySettingsPath(cwd)) : true,
  ];
  return (await Promise.all(looks)).every((nothing) => nothing);
}

async function saysNothing(files: LookInput["files"], path: string): Promise<boolean> {
  try {
    const text = await files.readText(path, { maxBytes: MAX_BYTES });
    if (text === undefined) return true;
    if (text.startsWith("\ufeff")) return false;
    const value = parseJson(text);
    return isObject(value) && !Object.hasOwn(value, "a2a");
  } catch {
    return false;
  }
}

async function isMissing(files: LookInput["files"], path: string): Promise<boolean> {
  try {
    return (await files.stat(path)) === undefined;
  } catch {
    return false;
  }
}
