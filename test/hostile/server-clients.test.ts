// Hostile clients against our server, which runs in a process of its own. After each attack it answers, and holds what it held
// before. Covers the loads of T06, S20 and X12; test/http holds the exact behaviour of single requests.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { FLOODS } from "./attacks/floods.ts";
import { HEADS } from "./attacks/heads.ts";
import { STREAMS } from "./attacks/streams.ts";
import { UPLOADS } from "./attacks/uploads.ts";
import type { ServerSettings } from "./fixtures/server-child.ts";
import { type Attack, describeOutcomes, runAttack } from "./support/attack.ts";
import { type Attacker, openAttacker, requestText, sendText } from "./support/attacker.ts";
import { CLIENTS, createReport, inMb } from "./support/report.ts";
import { HEAP_MARGIN, startTarget, type Target, type TargetState } from "./support/target.ts";

const ATTACKS = [...UPLOADS, ...HEADS, ...STREAMS, ...FLOODS];
/** Bodies and tasks end sooner, so that less is waited for; heads and connections have their real time. */
const PATIENT: ServerSettings = { speed: 6, limits: {} };
/** 15 s without a byte of a body are 0.75 s, and so on. */
const QUICK: ServerSettings = {
  speed: 20,
  limits: { headersMs: 500, requestMs: 3750, checkMs: 50, stallMs: 2500 },
};
const WARM_UP_CLIENTS = 3;
/** Fills what the server keeps of ended tasks. */
const WARM_UP_TASKS = 220;
/** A reader may be 4 MiB behind, and has some buffers. */
const READER_BYTES = 6 * 1024 * 1024;
const MAX_STREAMS = 16;

describe("a server under attack", () => {
  const report = createReport(`Hostile clients against the server (heap margin ${inMb(HEAP_MARGIN)})`);
  const patient = ATTACKS.filter(({ limits }) => limits !== "quick");
  const quick = ATTACKS.filter(({ limits }) => limits === "quick");
  let servers: readonly [patient: Attacked, quick: Attacked];
  before(async () => {
    servers = await Promise.all([startAttacked(PATIENT, patient), startAttacked(QUICK, quick)]);
  });
  after(async () => {
    report.print();
    for (const { target } of servers) await target.end();
  });

  const assertRecovers = async ({ target, calm }: Attacked, attack: Attack): Promise<void> => {
    await target.calm();
    const began = performance.now();
    const { clients, outcomes, statuses } = await runAttack(attack, target.port, CLIENTS);
    const took = performance.now() - began;
    const { stuckMs } = await target.state();
    await target.assertServes();
    const now = await target.assertRecovered(calm);
    const said = describeOutcomes(outcomes);
    const heap = inMb(now.heapBytes - calm.heapBytes);
    report.add(attack.name, clients, `${said}; ${Math.round(took)} ms, longest turn ${stuckMs} ms, heap ${heap}`);
    assert.deepEqual(
      statuses.filter((status) => status >= 500 && status !== 503),
      [],
      said,
    );
    if (attack.meets !== undefined) {
      assert.ok(Object.hasOwn(outcomes, attack.meets), `${attack.meets} not met: ${said}`);
    }
  };

  for (const attack of patient) it(`recovers from ${attack.name}`, () => assertRecovers(servers[0], attack));

  for (const attack of quick) {
    it(`ends by its own limits, and recovers from, ${attack.name}`, () => assertRecovers(servers[1], attack));
  }

  it("holds little for readers that stall while 100 MB are streamed to each", async () => {
    const { target, calm } = servers[1];
    const began = performance.now();
    const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => openAttacker(target.port, index)));
    await Promise.all(clients.map(stall));
    let most = 0;
    let state = await target.state();
    for (; state.running > 0; state = await target.state()) {
      most = Math.max(most, state.heapBytes);
      await pause(200);
    }
    const streams = clients.filter((client) => client.statuses().includes(200)).length;
    assert.ok(streams >= Math.min(MAX_STREAMS, CLIENTS), `${streams} streams were opened`);
    // All of it has been said, and the readers that are still there have not read it.
    const stalled = state.heapBytes;
    while ((await target.state()).connections > 0) await pause(100);
    const took = performance.now() - began;
    for (const client of clients) client.drop("close");
    await target.assertServes();
    const now = await target.assertRecovered(calm);
    const [peak, held, heap] = [most, stalled, now.heapBytes].map((bytes) => inMb(bytes - calm.heapBytes));
    report.add(
      "readers that stall while 100 MB are streamed to each",
      CLIENTS,
      `${streams} streams; ${Math.round(took)} ms until cut, heap at most ${peak}, ${held} at the end, ${heap} after`,
    );
    assert.ok(most - calm.heapBytes < streams * READER_BYTES, `${peak} for ${streams} readers`);
  });
});

interface Attacked {
  readonly target: Target;
  readonly calm: TargetState;
}

/** A server whose code is warm, and whose stores are full, before it is measured. */
async function startAttacked(settings: ServerSettings, attacks: readonly Attack[]): Promise<Attacked> {
  const target = await startTarget(settings);
  await Promise.all(attacks.map((attack) => runAttack(attack, target.port, WARM_UP_CLIENTS)));
  for (let sent = 0; sent < WARM_UP_TASKS; sent++) await target.assertServes();
  return { target, calm: await target.quiet() };
}

async function stall(client: Attacker): Promise<void> {
  await client.send(requestText(sendText("pour 100", "SendStreamingMessage")));
  await client.replies(1);
  client.socket.pause();
}
