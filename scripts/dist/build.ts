// Owns the built form: an entry, one chunk with everything that is loaded on first use, and what both need. It imports nothing of
// the host, so Node loads it without the host's help; src/pi/code-form.ts says where the host's modules come from instead. Names
// stay as they are, for stack traces.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type BuildOptions, type BuildResult, build } from "esbuild";
import { BUILT_FILES } from "../../src/core/platform/built-files.ts";
import { hostModulesGiven, oneLazyChunk } from "./plugins.ts";

const ENTRY = "src/pi/wire.ts";
const LAZY = "lazy";

export interface BuiltList {
  readonly entry: string;
  /** Path -> bytes. */
  readonly files: Readonly<Record<string, number>>;
}

/** Replaces `folder` by the built form of the package at `root`. */
export async function buildDist(root: string, folder: string): Promise<BuiltList> {
  const out = "/built";
  const options = {
    ...{ absWorkingDir: root, bundle: true, splitting: true, write: false, metafile: true, logLevel: "warning" },
    ...{ format: "esm", platform: "node", target: "node20.6", charset: "utf8" },
    ...{ outdir: out, chunkNames: "shared" },
  } satisfies BuildOptions;
  const host = hostModulesGiven();
  const first = await build({ ...options, chunkNames: "[name]-[hash]", entryPoints: [ENTRY], plugins: [host] });
  const parts = lazyParts(first, root);
  checkExports([...parts.values()].flat());
  const built = await build({
    ...options,
    entryPoints: { entry: ENTRY, [LAZY]: LAZY },
    plugins: [host, oneLazyChunk(LAZY, root, [...parts.keys()])],
  });

  const outputs = built.outputFiles.map(({ path, contents }) => ({ name: relative(out, path), contents }));
  return writeBuilt(folder, nameOf(root, outputs), outputs);
}

/** The modules that the sources load by import(), and what each exports. */
function lazyParts(
  { metafile }: BuildResult<{ metafile: true }>,
  root: string,
): ReadonlyMap<string, readonly string[]> {
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const paths = new Set(
    imports.filter(({ kind, external }) => kind === "dynamic-import" && !external).map(({ path }) => path),
  );
  const outputs = Object.values(metafile.outputs);
  return new Map(
    [...paths]
      .sort()
      .map((path) => [join(root, path), outputs.find(({ entryPoint }) => entryPoint === path)?.exports ?? []]),
  );
}

/** Of two parts with one name in common, one would get the other's. */
function checkExports(names: readonly string[]): void {
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length === 0) return;
  throw new Error(`what is loaded by import() becomes one file, and ${twice.join(", ")} is exported by two of them`);
}

interface Output {
  readonly name: string;
  readonly contents: Uint8Array;
}

/** Another name for other contents: Node never loads a path again, also when a package was updated meanwhile. */
function nameOf(root: string, outputs: readonly Output[]): string {
  const hash = createHash("sha256");
  for (const { name, contents } of outputs) hash.update(`${name}\n`).update(contents);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return `${version}-${hash.digest("hex").slice(0, 8)}`;
}

/** The list comes last: without it nothing of the folder is used. */
function writeBuilt(folder: string, name: string, outputs: readonly Output[]): BuiltList {
  rmSync(folder, { recursive: true, force: true });
  const files: Record<string, number> = {};
  for (const output of outputs) {
    const path = `${name}/${output.name}`;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), output.contents);
    files[path] = output.contents.byteLength;
  }
  const list = { entry: `${name}/entry.js`, files };
  writeFileSync(join(folder, BUILT_FILES), `${JSON.stringify(list, undefined, 2)}\n`);
  return list;
}
