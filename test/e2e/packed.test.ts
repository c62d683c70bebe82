// The package as a person gets it: packed by npm, installed by `pi install npm:pi-a2a`, then used from node_modules.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { OFFLINE_ARGS, REPOSITORY, runPi, SESSION_COMMANDS } from "../support/e2e-host.ts";
import { sourcesTransformedIn } from "../support/e2e-loaded.ts";
import { call } from "../support/e2e-script.ts";
import { openStage, type Stage, serve } from "../support/e2e-stage.ts";
import { packPackage, type Registry, startRegistry } from "../support/packed-package.ts";
import type { PiProcess } from "../support/pi-process.ts";

/** What decides which form runs, and gives the built one what it needs; all else comes built. */
const FROM_SOURCES = ["host-host-modules", "pi-code-form", "platform-built-files", "src-index"];
const INSTALL_MS = 120_000;

describe("pi install npm:pi-a2a", function () {
  this.timeout(300_000);
  let stage: Stage;
  let registry: Registry;
  let env: Readonly<Record<string, string>>;
  let installed: string;
  let serial = 0;

  before(async () => {
    stage = openStage();
    const npm = { npm_config_prefix: join(stage.root, "prefix"), npm_config_cache: join(stage.root, "npm-cache") };
    env = { ...stage.env, ...npm, NO_PROXY: "127.0.0.1", npm_config_update_notifier: "false" };
    registry = await startRegistry(await packPackage(stage.root, env));
    env = { ...env, npm_config_registry: registry.url };
    const cwd = stage.workspace("anywhere").path;
    const { code, stderr, stdout } = await runPi(["install", "npm:pi-a2a"], { cwd, env, deadlineMs: INSTALL_MS });
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    installed = installedPackage(stage.root);
  });

  after(async () => {
    await stage.close();
    await registry?.stop();
  });

  /** A session with the package from the settings of the agent folder, and what it has transformed of our sources. */
  const start = async (extensions: readonly string[] = []): Promise<{ pi: PiProcess; sources: () => string[] }> => {
    const tmp = join(stage.root, `tmp-${++serial}`);
    mkdirSync(tmp);
    const cwd = stage.workspace(`work-${serial}`);
    const pi = await stage.session(cwd, { a2a: false, extensions, env: { ...env, TMPDIR: tmp } });
    return { pi, sources: () => [...sourcesTransformedIn(tmp)].filter((name) => OUR_SOURCES.has(name)).sort() };
  };

  it("installs one package, with its sources and its built form", () => {
    assert.deepEqual(
      readdirSync(dirname(installed)).filter((name) => !name.startsWith(".")),
      ["pi-a2a"],
    );
    assert.deepEqual(readdirSync(installed).sort(), [
      ...["CHANGELOG.md", "LICENSE", "README.md", "dist", "docs", "package.json", "schemas", "src"],
    ]);
  });

  it("does a task, in and out, without transforming any source but those that choose the form", async () => {
    const serving = await start();
    const calling = await start();
    const url = await serve(serving.pi);
    const { text } = await calling.pi.prompt(call("a2a_call", { agent: url, message: "say built and well" }));
    assert.match(text, /built and well/);
    const { text: about } = await calling.pi.prompt(call("a2a_call", { agent: url, message: "about" }));
    assert.match(about, /a2a_attach/);
    assert.doesNotMatch(about, /a2a_cancel/, "the agent that does the task has loaded the package for itself");
    assert.match((await calling.pi.command(`/a2a-send ${url} say it once more`)).join("\n"), /it once more/);
    assert.deepEqual(serving.sources(), FROM_SOURCES);
    assert.deepEqual(calling.sources(), FROM_SOURCES);
  });

  it("serves on after /reload and /new", async () => {
    const { pi, sources } = await start([SESSION_COMMANDS]);
    const url = await serve(pi);
    await pi.command("/reload-all");
    await pi.newSession();
    const calling = await start();
    const { text } = await calling.pi.prompt(call("a2a_call", { agent: url, message: "say still here" }));
    assert.match(text, /still here/);
    assert.deepEqual(sources(), FROM_SOURCES);
  });

  it("ends a run of pi -p at once", async () => {
    const cwd = stage.workspace("printing").path;
    const { code, stderr } = await runPi(["-p", ...OFFLINE_ARGS, "/a2a-status"], { cwd, env });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /A2A server: stopped/);
  });

  it("works from the sources when the built form was written in part, or is missing", async () => {
    const dist = join(installed, "dist");
    const [folder = ""] = readdirSync(dist).filter((name) => name !== "files.json");
    truncateSync(join(dist, folder, "lazy.js"), 1000);
    const partly = await start();
    assert.match((await partly.pi.command("/a2a-help")).join("\n"), /a2a_call/);
    assert.ok(partly.sources().includes("pi-wire"));
    rmSync(dist, { recursive: true });
    const without = await start();
    assert.match((await without.pi.command("/a2a-help")).join("\n"), /a2a_call/);
    assert.ok(without.sources().includes("pi-wire"));
  });
});

/** Names as Pi gives them to what it has transformed of our sources. */
const OUR_SOURCES: ReadonlySet<string> = new Set(
  readdirSync(join(REPOSITORY, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `${basename(dirname(join("src", path)))}-${basename(path, ".ts")}`),
);

/** The one folder of the package that npm has made below `root`; each Pi line has another place for it. */
function installedPackage(root: string): string {
  const places = [join(root, "prefix", "lib", "node_modules"), join(root, "agent", "npm", "node_modules")];
  const found = places.map((place) => join(place, "pi-a2a")).filter((path) => existsSync(path));
  assert.equal(found.length, 1, `installed in ${found.length} of ${places.join(", ")}`);
  return found[0] ?? "";
}
