// Owns the scratch install of the Gemini CLI's A2A server; half a gigabyte, so that nobody gets it unasked.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runNpm } from "../next-host/npm.ts";
import { REPOSITORY } from "../next-host/run-here.ts";
import { makeOnce } from "../support/made-folder.ts";

/** Bumped on purpose, like the pins in package.json. */
export const GEMINI_VERSION = "0.25.2";
const GEMINI_PACKAGE = "@google/gemini-cli-a2a-server";

/** The server's program. Throws what npm said, RegistryAway when there is no registry. */
export async function installGemini(say: (line: string) => void): Promise<string> {
  const folder = join(REPOSITORY, ".cache", "interop-gemini", GEMINI_VERSION);
  await makeOnce(
    folder,
    (made) => existsSync(programIn(made)),
    async (making) => {
      say(`installing ${GEMINI_PACKAGE} ${GEMINI_VERSION} into ${folder}`);
      const dependencies = { [GEMINI_PACKAGE]: GEMINI_VERSION };
      writeFileSync(join(making, "package.json"), JSON.stringify({ private: true, dependencies }));
      const quiet = ["--no-audit", "--no-fund", "--loglevel", "error"];
      await runNpm(["install", "--prefix", making, "--ignore-scripts", ...quiet]);
    },
  );
  return programIn(folder);
}

function programIn(folder: string): string {
  return join(folder, "node_modules", GEMINI_PACKAGE, "dist", "a2a-server.mjs");
}
