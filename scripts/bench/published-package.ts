// The package as npm installs it, for the bench: the sources and the built form in a folder of packages.

import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../test/support/e2e-host.ts";
import { buildDist } from "../dist/build.ts";
import type { Bench } from "./bench.ts";

/** The path of its extension; made once in a run. */
export async function publishedPackage({ folder }: Pick<Bench, "folder">): Promise<string> {
  const root = join(folder, "published", "node_modules", "pi-a2a");
  if (!existsSync(root)) {
    mkdirSync(root, { recursive: true });
    for (const name of ["package.json", "src"]) cpSync(join(REPOSITORY, name), join(root, name), { recursive: true });
    await buildDist(REPOSITORY, join(root, "dist"));
  }
  return join(root, "src", "index.ts");
}
