// Owns the scratch install of the second host: Pi's current line and a Node that runs it, in a folder per pair of versions.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOnce } from "../support/made-folder.ts";
import { runNpm } from "./npm.ts";

/** Bumped on purpose, like the pins in package.json; PI_A2A_NEXT_PI tries another one, or `latest`. */
const PI_VERSION = "1.6.0";
const NODE_VERSION = "24.21.0";
const PI_PACKAGE = "@earendil-works/pi-coding-agent";

export interface NextHost {
  readonly folder: string;
  readonly node: string;
  readonly cli: string;
  readonly piVersion: string;
  readonly nodeVersion: string;
}

/** The host below `cache`, installed now if it is not there. Throws with what npm said when that fails. */
export async function installNextHost(cache: string, say: (line: string) => void): Promise<NextHost> {
  const piVersion = await wantedPi();
  const host = hostIn(
    join(cache, `pi-${piVersion}-node-${NODE_VERSION}-${process.platform}-${process.arch}`),
    piVersion,
  );
  await makeOnce(
    host.folder,
    (folder) => isComplete(hostIn(folder, piVersion)),
    async (folder) => {
      say(`installing Pi ${piVersion} and Node ${NODE_VERSION} into ${host.folder}`);
      await installInto(folder, piVersion);
    },
  );
  return host;
}

async function wantedPi(): Promise<string> {
  const wanted = process.env.PI_A2A_NEXT_PI ?? PI_VERSION;
  if (wanted !== "latest") return wanted;
  return (await runNpm(["view", `${PI_PACKAGE}@latest`, "version"])).trim();
}

async function installInto(folder: string, piVersion: string): Promise<void> {
  const dependencies = { [PI_PACKAGE]: piVersion, [nodePackage()]: NODE_VERSION };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  // The npm that installs runs on another Node than the one that Pi will run on: its warnings about that say nothing.
  await runNpm(["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"]);
}

function hostIn(folder: string, piVersion: string): NextHost {
  const modules = join(folder, "node_modules");
  return {
    folder,
    node: join(modules, nodePackage(), "bin", process.platform === "win32" ? "node.exe" : "node"),
    cli: join(modules, PI_PACKAGE, "dist", "bundle", "cli.js"),
    piVersion,
    nodeVersion: NODE_VERSION,
  };
}

function isComplete({ node, cli }: NextHost): boolean {
  return existsSync(node) && existsSync(cli);
}

/**
 * The package with the binary. The npm package `node` is a script that installs this one; without it no install script has to run, and
 * npm 11 runs none without being told to.
 */
function nodePackage(): string {
  const { platform, arch } = process;
  const prefix = platform === "darwin" && arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${platform === "win32" ? "win" : platform}-${arch}`;
}
