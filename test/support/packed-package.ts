// The package as it is published: packed by npm in a copy of the checkout, and offered by a registry of its own on this machine.

import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { REPOSITORY, run } from "./e2e-host.ts";

const PACKED = [
  "package.json",
  "tsconfig.json",
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  "src",
  "docs",
  "schemas",
  "scripts",
];
const DEADLINE_MS = 120_000;

/** Runs `npm pack` below `root`, with its scripts; the path of the tarball. */
export async function packPackage(root: string, env: Readonly<Record<string, string>>): Promise<string> {
  const copy = join(root, "checkout");
  mkdirSync(copy);
  for (const name of PACKED) cpSync(join(REPOSITORY, name), join(copy, name), { recursive: true });
  symlinkSync(join(REPOSITORY, "node_modules"), join(copy, "node_modules"), "dir");
  const { code, stdout, stderr } = await run("npm", ["pack", "--json"], { cwd: copy, env, deadlineMs: DEADLINE_MS });
  if (code !== 0) throw new Error(`npm pack failed: ${stderr}`);
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return join(copy, packed?.filename ?? "");
}

export interface Registry {
  readonly url: string;
  stop(): Promise<void>;
}

/** A registry that has this one package, in this one version. */
export async function startRegistry(tarball: string): Promise<Registry> {
  const { name, version } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8"));
  const server = createServer((request, response) => {
    if (request.url === "/package.tgz") response.end(readFileSync(tarball));
    else if (request.url === `/${name}`) response.end(JSON.stringify(about()));
    else response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const about = (): object => ({
    ...{ name, "dist-tags": { latest: version } },
    versions: { [version]: { name, version, dist: { tarball: `${url}package.tgz` } } },
  });
  return {
    url,
    stop: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
}
