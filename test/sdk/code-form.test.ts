// Which form of the code an installed package runs, with stand-ins for both forms' wiring around the real choice.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BUILT_FILES } from "../../src/core/platform/built-files.ts";
import { HOST_MODULES, loadWiring } from "../../src/pi/code-form.ts";
import { wire } from "../../src/pi/wire.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";

describe("the form of the code", function () {
  this.timeout(60_000);
  let temp: TempDir;

  beforeEach(async () => {
    temp = await createTempDir();
  });

  afterEach(() => temp.remove());

  /** A package at this place whose built entry has this text. */
  const packageAt = async (place: string, entry: string): Promise<string> => {
    const root = join(temp.path, place);
    await mkdir(join(root, "dist"), { recursive: true });
    await writeFile(join(root, "dist", "entry.mjs"), entry);
    const files = { "entry.mjs": Buffer.byteLength(entry) };
    await writeFile(join(root, "dist", BUILT_FILES), JSON.stringify({ entry: "entry.mjs", files }));
    return root;
  };
  const BUILT = `export const wire = () => Object.keys(globalThis[Symbol.for("${HOST_MODULES}")]).length;`;

  it("is the built one in a package that was installed, which finds the host's modules", async () => {
    const loaded = await loadWiring(await packageAt("node_modules/pi-a2a", BUILT));
    assert.notEqual(loaded.wire, wire);
    assert.equal(Reflect.apply(loaded.wire, undefined, []), 3);
  });

  it("is the sources in a checkout, whatever was built there", async () => {
    assert.equal((await loadWiring(await packageAt("work/pi-a2a", BUILT))).wire, wire);
  });

  it("is the sources where there is no built one", async () => {
    const root = join(temp.path, "node_modules", "pi-a2a");
    await mkdir(root, { recursive: true });
    assert.equal((await loadWiring(root)).wire, wire);
  });

  it("is the sources where the built one does not load, or is something else", async () => {
    for (const [place, text] of Object.entries({
      a: "export const wire = (;",
      b: "export const other = 1;",
      c: "throw 1;",
    })) {
      assert.equal((await loadWiring(await packageAt(`node_modules/${place}`, text))).wire, wire, text);
    }
  });
});
