// Writes the tsconfig that checks the sources against the second host's declarations: the old package names, which the sources import
// and both hosts know, lead to the new line's files.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NextHost } from "./install.ts";

/** The path of the written file, beside the install it describes. Throws when a declaration file is not where it was. */
export function writeTypesConfig({ folder }: NextHost, repository: string): string {
  const modules = join(folder, "node_modules");
  const declarations = {
    "@mariozechner/pi-coding-agent": "@earendil-works/pi-coding-agent/dist/index.d.ts",
    "@mariozechner/pi-tui": "@earendil-works/pi-tui/dist/index.d.ts",
    "@mariozechner/pi-ai": "@earendil-works/pi-ai/dist/compat.d.ts",
    "@sinclair/typebox": "typebox/build/index.d.mts",
  };
  for (const file of Object.values(declarations)) {
    // The compiler would fall back to the pinned host's declarations and find nothing wrong.
    if (!existsSync(join(modules, file))) throw new Error(`${join(modules, file)} is missing`);
  }
  const config = {
    extends: join(repository, "tsconfig.json"),
    compilerOptions: {
      types: ["node"],
      typeRoots: [join(repository, "node_modules", "@types")],
      tsBuildInfoFile: join(folder, "tsconfig.tsbuildinfo"),
      paths: Object.fromEntries(Object.entries(declarations).map(([name, file]) => [name, [join(modules, file)]])),
    },
    include: [join(repository, "src")],
    exclude: [],
  };
  const path = join(folder, "tsconfig.json");
  writeFileSync(path, `${JSON.stringify(config, undefined, 2)}\n`);
  return path;
}
