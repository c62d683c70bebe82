// Hostile peers against our client, which runs in a process of its own. Every call ends in a clear error or a result, and
// afterwards the client holds what it held before. Covers the loads of C18-C31; test/http holds the exact behaviour.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { type HttpPeer, startHttpPeer } from "../support/http-peer.ts";
import type { CallEnds, CallPlan, ClientState } from "./fixtures/client-child.ts";
import { BAD_CARDS } from "./peers/bad-cards.ts";
import { BAD_REPLIES } from "./peers/bad-replies.ts";
import { BAD_STREAMS } from "./peers/bad-streams.ts";
import { describeOutcomes } from "./support/attack.ts";
import { type BadPeer, startBadPeer } from "./support/bad-peer.ts";
import type { ProcessState } from "./support/measured-child.ts";
import { type MeasuredProcess, startMeasured } from "./support/measured-process.ts";
import { SEED } from "./support/random.ts";
import { createReport, inMb } from "./support/report.ts";

type State = ProcessState & ClientState;

const SPEED = 5;
const MAX_HEAP_MB = 512;
const HEAP_MARGIN = 6 * 1024 * 1024;
const DEADLINE_MS = 10_000;
const GENEROUS = { send: 600_000, stream: 300_000 };

describe("a client among hostile peers", () => {
  const report = createReport(`Hostile peers against the client (heap margin ${inMb(HEAP_MARGIN)})`);
  let child: MeasuredProcess;
  let bystander: HttpPeer;
  let calm: State;

  before(async () => {
    child = await startMeasured("client-child", { speed: SPEED }, MAX_HEAP_MB);
    bystander = await startHttpPeer();
    const short = [...BAD_CARDS, ...BAD_REPLIES].filter(({ timeouts }) => timeouts === undefined);
    await Promise.all(short.map((bad) => meet({ ...bad, calls: 2 })));
    calm = await child.ask<State>("measure");
  });

  after(async () => {
    report.print();
    await bystander.stop();
    await child.end();
  });

  for (const bad of [...BAD_CARDS, ...BAD_REPLIES, ...BAD_STREAMS]) {
    it(`ends its calls in good order: ${bad.name}`, async () => {
      await child.ask("calm");
      const began = performance.now();
      const { ends, unclear, messages, lateMs, peakBytes, sentMb, sockets } = await meet(bad);
      const took = Math.round(performance.now() - began);
      const { stuckMs } = await child.ask<State>("measure");
      const now = await recovered();
      const said = describeOutcomes(ends);
      const late = bad.abortWithinMs === undefined ? "" : `, at most ${lateMs} ms after the abort`;
      const heap = inMb(now.heapBytes - calm.heapBytes);
      report.add(
        bad.name,
        bad.calls ?? 20,
        `${said}; ${took} ms${late}, longest turn ${stuckMs} ms, memory up to ${inMb(peakBytes)}, heap ${heap}`,
      );
      assert.deepEqual(unclear, []);
      assert.deepEqual(
        Object.keys(ends).filter((end) => !bad.ends.includes(end)),
        [],
        JSON.stringify(messages),
      );
      assert.equal(sockets, 0, "sockets are open at the peer");
      assert.deepEqual(bystander.requests, [], "a redirect was followed");
      if (bad.maxSentMb !== undefined) assert.ok(sentMb <= bad.maxSentMb, `${sentMb} MB were read of one answer`);
    });
  }

  async function meet(bad: BadPeer): Promise<CallEnds & { readonly sentMb: number; readonly sockets: number }> {
    const peer = await startBadPeer(bad, bystander.origin);
    try {
      const { kind, calls = 20, timeouts, abortWithinMs, closeWithinMs } = bad;
      const plan: CallPlan = {
        ...{ kind, calls, agent: peer.origin, seed: SEED, timeouts: { ...GENEROUS, ...timeouts } },
        ...(abortWithinMs === undefined ? {} : { abortWithinMs }),
        ...(closeWithinMs === undefined ? {} : { closeWithinMs }),
      };
      const ends = await child.ask<CallEnds>("run", plan);
      await Promise.race([peer.allClosed(), pause(DEADLINE_MS)]);
      const sent = Math.max(0, ...peer.requests.map(({ socket }) => socket.bytesWritten));
      return { ...ends, sentMb: sent / 1024 / 1024, sockets: peer.openSockets() };
    } finally {
      await peer.stop();
    }
  }

  /** Waits until the client holds no more than at the beginning. */
  async function recovered(): Promise<State> {
    for (const end = performance.now() + DEADLINE_MS; ; await pause(100)) {
      const now = await child.ask<State>("measure");
      const wrong = differences(calm, now);
      if (wrong.length === 0) return now;
      if (performance.now() > end) assert.fail(`afterwards: ${wrong.join("; ")}`);
    }
  }
});

function differences(before: State, now: State): string[] {
  const growth = now.heapBytes - before.heapBytes;
  return [
    now.sockets === 0 ? "" : `${now.sockets} sockets`,
    now.timers === 0 ? "" : `${now.timers} timers`,
    now.descriptors <= before.descriptors ? "" : `${now.descriptors} descriptors, before ${before.descriptors}`,
    growth <= HEAP_MARGIN ? "" : `${growth} bytes more heap`,
    ...Object.entries(now.resources).map(([kind, count]) =>
      count <= (before.resources[kind] ?? 0) ? "" : `${count} x ${kind}, before ${before.resources[kind] ?? 0}`,
    ),
    ...now.warnings,
  ].filter((text) => text !== "");
}
