// What users install: the contents of the tarball and the promises of package.json.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT, readJson, readText, typescriptFiles } from "./tree.ts";

/** Paths in the tarball that `npm pack` would make; `--ignore-scripts` keeps it from building anything. */
function packedFiles(): string[] {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const report: { files: { path: string }[] }[] = JSON.parse(output);
  return (report[0]?.files ?? []).map(({ path }) => path).sort();
}

function record(value: unknown): Record<string, unknown> {
  assert.ok(typeof value === "object" && value !== null && !Array.isArray(value));
  return Object.fromEntries(Object.entries(value));
}

function strings(value: unknown): string[] {
  assert.ok(Array.isArray(value));
  return value.map(String);
}

describe("tarball", function () {
  this.timeout(60_000);
  let files: string[] = [];

  before(() => {
    files = packedFiles();
  });

  it("holds every source file", () => {
    assert.deepEqual(
      files.filter((path) => path.startsWith("src/")),
      typescriptFiles("src"),
    );
  });

  it("holds the documents", () => {
    for (const path of [
      "README.md",
      "CHANGELOG.md",
      "LICENSE",
      "docs/errors.md",
      "schemas/a2a-settings.schema.json",
      "package.json",
    ]) {
      assert.ok(files.includes(path), path);
    }
  });

  it("holds the built form, which is made before packing and removed after it, so that none grows old", () => {
    const manifest = readJson("package.json");
    assert.ok(strings(manifest.files).includes("dist"));
    const { prepack, postpack } = record(manifest.scripts);
    assert.equal(prepack, "tsx scripts/build-dist.ts");
    assert.equal(postpack, "tsx scripts/build-dist.ts --clean");
    assert.match(readText(".gitignore"), /^\/dist\/$/m);
  });

  it("holds nothing else", () => {
    const expected = /^(src|dist|docs|schemas)\/|^(README\.md|CHANGELOG\.md|LICENSE|package\.json)$/;
    assert.deepEqual(
      files.filter((path) => !expected.test(path)),
      [],
    );
  });

  it("holds what the pi manifest names", () => {
    const extensions = strings(record(readJson("package.json").pi).extensions);
    assert.ok(extensions.length > 0);
    for (const path of extensions) {
      assert.ok(existsSync(join(ROOT, path)), path);
      assert.ok(files.includes(path.replace(/^\.\//, "")), path);
    }
  });
});

describe("package.json", () => {
  const manifest = readJson("package.json");

  it("has no runtime dependency", () => {
    for (const key of ["dependencies", "optionalDependencies", "bundleDependencies", "bundledDependencies"]) {
      assert.deepEqual(Object.keys(manifest[key] ?? {}), [], key);
    }
  });

  it("marks every peer optional, so that installing it installs nothing else", () => {
    const peers = Object.keys(record(manifest.peerDependencies));
    const meta = record(manifest.peerDependenciesMeta);
    assert.ok(peers.length > 0);
    assert.deepEqual(Object.keys(meta).sort(), peers.sort());
    for (const peer of peers) assert.deepEqual(meta[peer], { optional: true }, peer);
  });

  it("is found as a Pi package and says which Node it needs", () => {
    assert.ok(strings(manifest.keywords).includes("pi-package"));
    assert.equal(record(manifest.engines).node, ">=20.6");
    assert.equal(manifest.type, "module");
    assert.equal(manifest.license, "MIT");
  });

  it("pins development tools exactly", () => {
    for (const [name, version] of Object.entries(record(manifest.devDependencies))) {
      assert.match(String(version), /^(npm:(@[a-z0-9-]+\/)?[a-z0-9-]+@)?\d+\.\d+\.\d+$/, name);
    }
  });

  it("runs nothing on the machine of who installs it", () => {
    const scripts = record(manifest.scripts);
    for (const name of ["preinstall", "install", "postinstall", "prepare"])
      assert.equal(scripts[name], undefined, name);
  });
});
