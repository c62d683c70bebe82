// The slash commands without a terminal: each answers with text and ends, none waits for somebody who is not there.

import assert from "node:assert/strict";
import { openStage, type Stage } from "../support/e2e-stage.ts";
import type { PiProcess } from "../support/pi-process.ts";

describe("the slash commands in RPC mode", () => {
  let stage: Stage;
  let pi: PiProcess;

  before(async () => {
    stage = openStage();
    pi = await stage.session(stage.workspace("anywhere"));
  });

  after(() => stage.close());

  it("say something and end, each of them, also without arguments (U13)", async () => {
    const { commands } = (await pi.request("get_commands")) as { commands: { name: string }[] };
    const ours = commands.map(({ name }) => name).filter((name) => name.startsWith("a2a-"));
    assert.ok(ours.length >= 5, ours.join());
    for (const name of ours) {
      const from = pi.events.all.length;
      const texts = await pi.command(`/${name}`);
      assert.notEqual(texts.join("").trim(), "", `/${name} said nothing`);
      assert.ok(!pi.events.all.slice(from).some(({ type }) => type === "agent_start"), `/${name} woke the model`);
    }
  });
});
