// Makes the built form of the package, dist/, for publishing (`npm pack` and `npm publish` call it), and takes it away afterwards:
//
//   tsx scripts/build-dist.ts            writes dist/
//   tsx scripts/build-dist.ts --clean    removes it

import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildDist } from "./dist/build.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "dist");

if (process.argv[2] === "--clean") rmSync(folder, { recursive: true, force: true });
else
  for (const [path, bytes] of Object.entries((await buildDist(root, folder)).files)) console.error(`${path} ${bytes}`);
