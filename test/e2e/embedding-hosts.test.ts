// Hosts that use Pi's SDK and send session_start twice, never, or without a session_shutdown (L04).

import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { EXTENSION, FIXTURES, piHost, run, SCRIPTED_MODEL } from "../support/e2e-host.ts";
import { openStage, type Stage, serve } from "../support/e2e-stage.ts";

interface Told {
  readonly reply?: string;
  readonly failed?: string;
  readonly listeners?: number;
  readonly afterShutdown?: number;
  readonly errors: readonly string[];
}

describe("a host that sends session events its own way", () => {
  let stage: Stage;
  let url: string;

  before(async () => {
    stage = openStage();
    url = await serve(await stage.session(stage.workspace("peer")));
  });

  after(() => stage.close());

  it("calls other agents although no session_start ever came, and ends by itself (L04)", async () => {
    const told = await embed("never started");
    assert.equal(told.failed, undefined);
    assert.match(told.reply ?? "", /hello to a host/);
    assert.deepEqual(told.errors, []);
  });

  it("gets one server from two session_starts, and none after session_shutdown (L04)", async () => {
    const told = await embed("started twice", { A2A_SERVER_ENABLED: "true" });
    assert.match(told.reply ?? "", /hello to a host/);
    assert.deepEqual({ ...told, reply: "" }, { reply: "", listeners: 1, afterShutdown: 0, errors: [] });
  });

  it("may send session_shutdown alone (L04)", async () => {
    assert.deepEqual(await embed("shut down without a start", { A2A_SERVER_ENABLED: "true" }), {
      listeners: 0,
      errors: [],
    });
  });

  it("ends by itself with the server on, although no session_shutdown came (L01)", async () => {
    const told = await embed("started and never shut down", { A2A_SERVER_ENABLED: "true" });
    assert.match(told.reply ?? "", /hello to a host/);
    assert.equal(told.listeners, 1);
  });

  /** Runs the host's program until it ends by itself. */
  async function embed(story: string, more: Record<string, string> = {}): Promise<Told> {
    const { node, cli } = piHost();
    const program = join(FIXTURES, "embedding-host.mjs");
    const { code, stdout, stderr } = await run(node, [program, sdkOf(cli), SCRIPTED_MODEL, EXTENSION, story, url], {
      cwd: stage.workspace("embedding").path,
      env: { ...stage.env, ...more },
    });
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Told;
  }
});

/** The SDK's entry. The program of the current line is a bundle, one folder below. */
function sdkOf(cli: string): string {
  const folder = dirname(cli);
  return join(basename(folder) === "bundle" ? dirname(folder) : folder, "index.js");
}
