import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installNextHost } from "../../../scripts/next-host/install.ts";
import { explain } from "../../../scripts/next-host/npm.ts";
import { createTempDir, type TempDir } from "../../support/temp-dir.ts";

/** Stands in for npm: makes the files that an install has, or fails as the real one does. */
const NPM = `
const { appendFileSync, mkdirSync, writeFileSync, readFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const args = process.argv.slice(2);
appendFileSync(process.env.NPM_LOG, args[0] + "\\n");
if (process.env.NPM_FAILS) { console.error("npm error code ECONNREFUSED\\nnpm error     at somewhere"); process.exit(1); }
if (args[0] === "view") { console.log("9.9.9"); process.exit(0); }
const folder = args[args.indexOf("--prefix") + 1];
const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
for (const name of Object.keys(dependencies)) {
  for (const file of ["bin/node", "bin/node.exe", "dist/bundle/cli.js"]) {
    const path = join(folder, "node_modules", name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
  }
}
`;

const ignore = (): undefined => undefined;

const CHANGED = ["npm_execpath", "NPM_LOG", "NPM_FAILS", "PI_A2A_NEXT_PI"];

describe("the scratch install of the second host", () => {
  let temp: TempDir;
  let cache: string;
  let before: Record<string, string | undefined>;

  beforeEach(async () => {
    before = Object.fromEntries(CHANGED.map((name) => [name, process.env[name]]));
    temp = await createTempDir();
    cache = join(temp.path, "cache");
    const npm = join(temp.path, "npm-cli.js");
    writeFileSync(npm, NPM);
    writeFileSync(join(temp.path, "log"), "");
    process.env.npm_execpath = npm;
    process.env.NPM_LOG = join(temp.path, "log");
    delete process.env.NPM_FAILS;
    delete process.env.PI_A2A_NEXT_PI;
  });

  afterEach(async () => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await temp.remove();
  });

  it("is made once and then used again", async () => {
    const said: string[] = [];
    const first = await installNextHost(cache, (line) => said.push(line));
    assert.ok(existsSync(first.node) && existsSync(first.cli));
    assert.deepEqual(await installNextHost(cache, (line) => said.push(line)), first);
    assert.equal(said.length, 1);
  });

  it("is another one for another version", async () => {
    const pinned = await installNextHost(cache, ignore);
    process.env.PI_A2A_NEXT_PI = "latest";
    const latest = await installNextHost(cache, ignore);
    assert.equal(latest.piVersion, "9.9.9");
    assert.notEqual(latest.folder, pinned.folder);
  });

  it("leaves nothing under its name, nor beside it, when npm fails, and says why", async () => {
    process.env.NPM_FAILS = "yes";
    await assert.rejects(installNextHost(cache, ignore), /npm install failed: the npm registry cannot be reached/);
    assert.deepEqual(readdirSync(cache), []);
  });

  it("is made anew when a folder of its name is not whole", async () => {
    const { folder, cli } = await installNextHost(cache, ignore);
    await temp.remove();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(temp.path, "npm-cli.js"), NPM);
    await installNextHost(cache, ignore);
    assert.ok(existsSync(cli));
  });

  it("clears away what a killed install has left, but not what another one is making", async () => {
    const [old, young] = [join(cache, "making-old"), join(cache, "making-young")];
    for (const folder of [old, young]) mkdirSync(folder, { recursive: true });
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
    utimesSync(old, yesterday, yesterday);
    await installNextHost(cache, ignore);
    assert.equal(existsSync(old), false);
    assert.equal(existsSync(young), true);
  });
});

describe("a failure of npm", () => {
  it("is told in npm's own words, without its stack", () => {
    const text = explain(
      ["install"],
      "npm error code E404\nnpm error     at fetch (x.js:1:1)\nnpm error 404 Not Found",
    );
    assert.equal(text, "npm install failed:\nnpm error code E404\nnpm error 404 Not Found");
  });
});
