// The agent card of a real session: its skills, and for callers on this machine its details, as they are at the moment.

import assert from "node:assert/strict";
import { get } from "node:http";
import { openStage, type Stage, serve, type Workspace } from "../support/e2e-stage.ts";
import { trustArgs } from "../support/e2e-trust.ts";
import type { PiProcess } from "../support/pi-process.ts";

const SKILL = "---\nname: lint\ndescription: Lints the code.\n---\nRun the linter.\n";

interface Card {
  readonly skills: readonly { readonly id: string; readonly description: string; readonly tags: readonly string[] }[];
  readonly capabilities: {
    readonly extensions: readonly { readonly uri: string; readonly params?: Readonly<Record<string, unknown>> }[];
  };
}

describe("the card of a session", () => {
  let stage: Stage;
  let folder: Workspace;
  let pi: PiProcess;
  let url: string;

  before(async () => {
    stage = openStage();
    folder = stage.workspace("served", { ".pi/skills/lint/SKILL.md": SKILL });
    pi = await stage.session(folder, { args: await trustArgs(stage) });
    url = await serve(pi);
  });
  after(() => stage.close());

  it("has the session's skills, each with a tag (W27)", async () => {
    const { skills } = await cardOf(url);
    assert.deepEqual(
      skills.map(({ id, description, tags }) => ({ id, description, tags })),
      [{ id: "lint", description: "Lints the code.", tags: ["skill"] }],
    );
  });

  it("tells callers on this machine the folder, process, model and tools, and the name once there is one", async () => {
    const details = async () => (await cardOf(url)).capabilities.extensions.at(-1)?.params;
    const { startedAt, tools, ...rest } = (await details()) ?? {};
    assert.ok(Date.parse(String(startedAt)) <= Date.now());
    assert.ok(Array.isArray(tools) && tools.includes("bash"));
    assert.equal(rest.cwd, folder.path);
    assert.equal(rest.pid, pi.pid);
    assert.deepEqual(rest.model, { provider: "scripted", id: "agent", name: "Scripted agent" });
    assert.equal(rest.sessionName, undefined);
    await pi.request("set_session_name", { name: "card work" });
    // What the card says is at most a quarter of a second old.
    let name: unknown;
    while (name === undefined) name = (await details())?.sessionName;
    assert.equal(name, "card work");
  });

  it("tells nobody anything of them when discovery.enrichCard is off", async () => {
    const quiet = await stage.session(stage.workspace("quiet"), { env: { A2A_ENRICH_CARD: "false", A2A_PORT: "0" } });
    const card = await cardOf(await serve(quiet));
    assert.ok(card.capabilities.extensions.every(({ params }) => params === undefined));
    assert.ok(!JSON.stringify(card).includes("quiet"));
  });
});

function cardOf(url: string): Promise<Card> {
  return new Promise((resolve, reject) => {
    get(`${url}.well-known/agent-card.json`, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve(JSON.parse(text)));
    }).on("error", reject);
  });
}
