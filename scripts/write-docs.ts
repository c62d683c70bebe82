// `npm run docs`: writes the generated files below docs/ and schemas/.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { generatedPages } from "./docs/pages.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

for (const { path, text } of generatedPages()) {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  console.log(path);
}
