// Hostile clients against a real Pi session that serves: afterwards a delegated task works, nothing was written over the terminal,
// and Pi quits in good order. The other files of this folder attack harder; this one shows that it holds in the host.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { rpc, textMessage } from "../support/e2e-http.ts";
import { call } from "../support/e2e-script.ts";
import { openStage, type Stage, serve } from "../support/e2e-stage.ts";
import type { PiProcess } from "../support/pi-process.ts";
import { FLOODS } from "./attacks/floods.ts";
import { HEADS } from "./attacks/heads.ts";
import { UPLOADS } from "./attacks/uploads.ts";
import { type Attack, describeOutcomes, runAttack } from "./support/attack.ts";
import { requestText, sendText } from "./support/attacker.ts";
import { CLIENTS, createReport } from "./support/report.ts";

const PI_CLIENTS = Math.min(50, CLIENTS);
const DEADLINE_MS = 30_000;

/** Real tasks, each in a child session of its own, whose callers go away. */
const TASKS_DROPPED: Attack = {
  name: "tasks and streams dropped at random moments",
  async act(client, random) {
    const text = random.pick(["slow 20 20", "say done", call("bash", { command: "sleep 0.2" })]);
    await client.send(requestText(sendText(text, random.pick(["SendMessage", "SendStreamingMessage"]))));
    await pause(random.int(1000));
    client.drop(random.pick(["reset", "close"]));
  },
};

const ATTACKS = [
  ...UPLOADS,
  ...HEADS,
  ...FLOODS.filter(({ name }) => /random params/.test(name)),
  TASKS_DROPPED,
].filter(({ limits }) => limits === undefined);

describe("a real Pi session under attack", () => {
  const report = createReport("Hostile clients against a real Pi session");
  let stage: Stage;
  let server: PiProcess;
  let caller: PiProcess;
  let url: string;

  before(async () => {
    stage = openStage();
    [server, caller] = await Promise.all([
      // All attackers have one address: with a limit for it most of them would only meet that.
      stage.session(stage.workspace("served"), { env: { A2A_RATE_LIMIT: "0" } }),
      stage.session(stage.workspace("calling")),
    ]);
    url = await serve(server);
  });

  // Complains when a session does not quit with code 0, or leaves a process behind.
  after(async () => {
    await stage.close();
    report.print();
  });

  it("survives them all at once, works on, and quits", async () => {
    const port = Number(new URL(url).port);
    const began = performance.now();
    const share = Math.ceil(PI_CLIENTS / ATTACKS.length);
    const results = await Promise.all(
      ATTACKS.map((attack) => runAttack(attack, port, attack === TASKS_DROPPED ? PI_CLIENTS : share)),
    );
    const faults = results.flatMap(({ statuses }) => statuses).filter((status) => status >= 500 && status !== 503);
    assert.deepEqual(faults, []);

    await untilFree(url);
    const { results: tools } = await caller.prompt(call("a2a_call", { agent: url, message: "say still here" }));
    assert.equal(tools[0]?.failed, false, tools[0]?.text);
    assert.match(tools[0]?.text ?? "", /still here/);
    assert.match((await server.prompt("say my own work goes on")).text, /my own work goes on/);
    assert.deepEqual(
      server.events.all.filter(({ type }) => type === "not_json"),
      [],
    );
    assert.equal(server.stderr(), "");
    const took = Math.round(performance.now() - began);
    for (const [index, { clients, outcomes }] of results.entries()) {
      report.add(ATTACKS[index]?.name ?? "", clients, describeOutcomes(outcomes));
    }
    report.add("a delegated task after all of these together", 1, `completed; ${took} ms in all`);
  });
});

/** Tasks whose callers have gone run to their end; until then the session is busy. */
async function untilFree(url: string): Promise<void> {
  for (const end = performance.now() + DEADLINE_MS; ; await pause(200)) {
    const { result, error } = await rpc(url, "SendMessage", textMessage("say free"));
    if (result?.task?.status.state === "TASK_STATE_COMPLETED") return;
    if (performance.now() > end) assert.fail(`still busy: ${JSON.stringify(error ?? result)}`);
  }
}
