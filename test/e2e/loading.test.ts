// What a start loads of this package. Pi keeps every source that it has transformed as a file, so a folder of its own for these
// files tells what was loaded in it.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sourcesTransformedIn } from "../support/e2e-loaded.ts";
import { openStage, type Stage } from "../support/e2e-stage.ts";

/** One of those that make up the services. */
const SERVICES = "pi-services";
const SETTINGS = "config-load";

/** Hundreds of sources are transformed at once. */
const COLD_MS = 120_000;

describe("a session that starts with the server off", function () {
  this.timeout(2 * COLD_MS);
  let stage: Stage;
  let serial = 0;

  before(() => {
    stage = openStage();
  });

  after(() => stage.close());

  const start = async (env: Readonly<Record<string, string>> = {}) => {
    const tmp = join(stage.root, `tmp-${++serial}`);
    mkdirSync(tmp);
    const pi = await stage.session(stage.workspace(`work-${serial}`), { env: { ...env, TMPDIR: tmp } });
    return { pi, loaded: () => sourcesTransformedIn(tmp) };
  };

  it("loads neither the services nor the settings where nobody has set anything, and both on first use", async () => {
    const { pi, loaded } = await start();
    assert.ok(loaded().has("pi-wire"), [...loaded()].join(" "));
    assert.ok(!loaded().has(SERVICES));
    assert.ok(!loaded().has(SETTINGS));
    assert.match((await pi.command("/a2a-status", { deadlineMs: COLD_MS })).join("\n"), /A2A server: stopped/);
    assert.ok(loaded().has(SERVICES));
    assert.ok(loaded().has(SETTINGS));
  });

  it("loads the settings alone where there are some, and tells what it did not take", async () => {
    const { pi, loaded } = await start({ A2A_PORT: "abc" });
    await pi.notification(/not taken:\n- environment: A2A_PORT/);
    assert.ok(loaded().has(SETTINGS));
    assert.ok(!loaded().has(SERVICES));
  });

  it("goes on so when the session is replaced", async () => {
    const { pi, loaded } = await start();
    await pi.newSession();
    assert.ok(!loaded().has(SERVICES));
  });

  it("says which settings file it could not read, and takes the defaults", async () => {
    const agentDir = join(stage.root, "broken-agent");
    mkdirSync(agentDir);
    writeFileSync(join(agentDir, "settings.json"), '{"a2a": {"server": {"enabled": true}},}');
    const { pi, loaded } = await start({ PI_CODING_AGENT_DIR: agentDir });
    await pi.notification(/broken-agent\/settings\.json: line 1, column \d+/);
    assert.ok(!loaded().has(SERVICES));
  });
});
