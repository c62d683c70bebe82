// The loader of the settings in a process of its own: reads what it is handed as if it stood in the files of a machine, and says
// what is wrong with the result.

import { loadSettings } from "../../src/core/config/load.ts";
import { createFilesPort, type FilesPort } from "../../src/core/platform/files.ts";
import { answerParent } from "../../test/hostile/support/measured-child.ts";
import { untoldIn } from "./untold.ts";

export interface SettingsInput {
  /** Base64 of each file that is there. */
  readonly global?: string;
  readonly repository?: string;
  readonly envFile?: string;
}

const AGENT_DIR = "/agent";
const CWD = "/work/repo";
export const PATHS = {
  global: `${AGENT_DIR}/settings.json`,
  repository: `${CWD}/.pi/settings.json`,
  envFile: `${AGENT_DIR}/.env.local`,
} as const;

function filesWith(input: SettingsInput): FilesPort {
  const texts = new Map(
    (
      [
        ["global", input.global],
        ["repository", input.repository],
        ["envFile", input.envFile],
      ] as const
    ).flatMap(([file, base64]) =>
      base64 === undefined ? [] : [[PATHS[file] as string, Buffer.from(base64, "base64").toString()]],
    ),
  );
  return {
    ...createFilesPort(),
    readText: (path) => Promise.resolve(texts.get(path)),
    realPath: (path) => Promise.resolve(path),
  };
}

/** What must not be, one line each. */
async function load(input: SettingsInput): Promise<readonly string[]> {
  const loaded = await loadSettings({
    files: filesWith(input),
    agentDir: AGENT_DIR,
    env: {},
    session: { cwd: CWD, projectTrusted: true },
  });
  const text = (base64: string | undefined): string => Buffer.from(base64 ?? "", "base64").toString();
  return untoldIn(
    loaded,
    { ...PATHS },
    { global: text(input.global), envFile: text(input.envFile), repository: text(input.repository) },
  );
}

answerParent({ ready: () => undefined, load }, () => ({}));
