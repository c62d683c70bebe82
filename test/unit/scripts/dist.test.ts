import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { buildDist } from "../../../scripts/dist/build.ts";
import { GIVEN_MODULES, hostModulesGiven } from "../../../scripts/dist/plugins.ts";
import { builtEntry } from "../../../src/core/platform/built-files.ts";
import { hostModules } from "../../../src/pi/host/host-modules.ts";
import { REPOSITORY } from "../../support/e2e-host.ts";
import { createTempDir, type TempDir } from "../../support/temp-dir.ts";

describe("the built form", function () {
  this.timeout(60_000);
  let temp: TempDir;

  beforeEach(async () => {
    temp = await createTempDir();
  });

  afterEach(() => temp.remove());

  /** A package whose wiring has this text, and `parts` beside it. */
  const packageOf = async (wire: string, parts: Readonly<Record<string, string>> = {}): Promise<string> => {
    const files = { "package.json": '{"version":"1.2.3"}', "src/pi/wire.ts": wire, ...parts };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(temp.path, path)), { recursive: true });
      await writeFile(join(temp.path, path), text);
    }
    return temp.path;
  };

  it("of this package is an entry, one lazy chunk and what they share, and imports nothing but Node's own modules", async () => {
    const folder = join(temp.path, "dist");
    const { entry, files } = await buildDist(REPOSITORY, folder);
    assert.deepEqual(
      Object.keys(files)
        .map((path) => path.replace(/^[^/]+\//, ""))
        .sort(),
      ["entry.js", "lazy.js", "shared.js"],
    );
    assert.equal(builtEntry(folder), join(folder, entry));
    for (const path of Object.keys(files)) {
      const text = await readFile(join(folder, path), "utf8");
      const imported = [...text.matchAll(/(?:^import[^"]*?|\bfrom |\bimport\()"([^"]+)"/gm)].map(
        ([, name = ""]) => name,
      );
      const foreign = imported.filter(
        (name) => !name.startsWith("./") && !builtinModules.includes(name.replace("node:", "")),
      );
      assert.deepEqual(foreign, [], path);
    }
  });

  it("has another name for other contents, and the same for the same", async () => {
    const root = await packageOf("export const wire = () => 1;");
    const first = await buildDist(root, join(root, "dist"));
    assert.match(first.entry, /^1\.2\.3-[0-9a-f]{8}\/entry\.js$/);
    assert.deepEqual(await buildDist(root, join(root, "dist")), first);
    await packageOf("export const wire = () => 2;");
    assert.notEqual((await buildDist(root, join(root, "dist"))).entry, first.entry);
  });

  it("is given the modules that the entry gives", () => {
    assert.deepEqual([...GIVEN_MODULES].sort(), Object.keys(hostModules).sort());
  });

  it("is not made of sources that take another module of the host", async () => {
    const contents = 'import * as Ai from "@mariozechner/pi-ai"; console.log(Ai);';
    const made = build({
      stdin: { contents },
      bundle: true,
      write: false,
      logLevel: "silent",
      plugins: [hostModulesGiven()],
    });
    await assert.rejects(made, /@mariozechner\/pi-ai is not among the host's modules/);
  });

  it("is not made of parts that export one name twice", async () => {
    const root = await packageOf('export const wire = async () => [await import("./a.ts"), await import("./b.ts")];', {
      "src/pi/a.ts": "export const run = 1;",
      "src/pi/b.ts": "export const run = 2;",
    });
    await assert.rejects(buildDist(root, join(root, "dist")), /run is exported by two of them/);
  });
});
