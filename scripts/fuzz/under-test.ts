// Owns the processes under test of one round, and how a case of each kind is run in them.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallEnds, CallPlan } from "../../test/hostile/fixtures/client-child.ts";
import type { ProcessState } from "../../test/hostile/support/measured-child.ts";
import { type MeasuredProcess, startMeasured } from "../../test/hostile/support/measured-process.ts";
import { createRandom } from "../../test/hostile/support/random.ts";
import { type PeerKind, peerAnswer } from "./answers.ts";
import type { Case, Kind, Outcome, RunCase } from "./case.ts";
import { ENV_FILE, SETTINGS_FILE } from "./corpus.ts";
import { exchange } from "./exchange.ts";
import { mutateBytes, mutateText } from "./mutate.ts";
import { type FuzzPeer, startFuzzPeer } from "./peer.ts";
import { judgeReplies } from "./replies.ts";
import { httpPieces, type Pieces, rpcPieces } from "./requests.ts";
import type { ServerState } from "./server-child.ts";
import type { SettingsInput } from "./settings-child.ts";

/** Calls and waits of the client run so many times faster, so that each of its limits is met within the second. */
const SPEED = 20;
const TIMEOUTS = { send: 8000, stream: 4000 };
const MAX_HEAP_MB = 256;
const TOKENS = ["token-of-alice", "token-of-bob"];
const CALLS: readonly CallPlan["kind"][] = ["discover", "call", "hand over", "wait"];

export interface UnderTest {
  readonly run: RunCase;
  /** What each process holds when nothing is at work. */
  state(): Promise<Readonly<Record<string, ProcessState & Partial<ServerState>>>>;
  end(): Promise<void>;
}

/** `login`: the server wants tokens. */
export async function startUnderTest(seed: number, login: boolean): Promise<UnderTest> {
  const tokens = login ? TOKENS : [];
  const folder = mkdtempSync(join(tmpdir(), "pi-a2a-fuzz-"));
  const auditPath = join(folder, "audit.jsonl");
  const [server, client, loader] = await Promise.all([
    startMeasured(new URL("server-child.ts", import.meta.url), { tokens, auditPath }, MAX_HEAP_MB),
    startMeasured("client-child", { speed: SPEED }, MAX_HEAP_MB),
    startMeasured(new URL("settings-child.ts", import.meta.url), {}, MAX_HEAP_MB),
  ]);
  const port = await server.ask<number>("port");
  const peer = await startFuzzPeer((call) => {
    const [kind = "reply", number = "0"] = call.name.split("-");
    return peerAnswer(kind as PeerKind, createRandom(`${call.name} ${call.nth}`, seed + Number(number)), call);
  });
  const runners: Readonly<Record<Kind, RunCase>> = {
    http: (one) => callServer(port, httpPieces(one.random, tokens), false),
    "json-rpc": (one) => callServer(port, rpcPieces(one.random, tokens), true),
    card: (one) => callPeer(client, peer, one),
    reply: (one) => callPeer(client, peer, one),
    stream: (one) => callPeer(client, peer, one),
    head: (one) => callPeer(client, peer, one),
    settings: (one) => loadFile(loader, "global", mutateText(one.random, SETTINGS_FILE)),
    repository: (one) => loadFile(loader, "repository", mutateText(one.random, SETTINGS_FILE)),
    "env file": (one) => loadFile(loader, "envFile", mutateBytes(one.random, Buffer.from(ENV_FILE))),
  };
  const processes = { server, client, loader };
  return {
    run: (one) => runners[one.kind](one),
    async state() {
      const states = Object.entries(processes).map(
        async ([name, child]) => [name, await child.ask("measure")] as const,
      );
      return Object.fromEntries(await Promise.all(states)) as Record<string, ProcessState & ServerState>;
    },
    async end() {
      await peer.stop();
      await server.ask("stop");
      await Promise.all(Object.values(processes).map((child) => child.end()));
      rmSync(folder, { recursive: true });
    },
  };
}

async function callServer(port: number, pieces: Pieces, isComplete: boolean): Promise<Outcome> {
  const isWhole = (received: Buffer): boolean => judgeReplies(received).isWhole;
  const { received, end, ms } = await exchange(port, { pieces, ...(isComplete ? { isWhole } : {}) });
  const { labels, wrong } = judgeReplies(received);
  const silent = end === "silent" || (isComplete && labels.length === 0) ? `no reply, ${end}` : "";
  return { end: labels.at(-1) ?? "no reply", ms, wrong: wrong || silent, input: Buffer.concat(pieces) };
}

async function callPeer(client: MeasuredProcess, peer: FuzzPeer, { kind, number, random }: Case): Promise<Outcome> {
  const name = `${kind}-${number}`;
  const plan: CallPlan = {
    kind: random.pick(CALLS),
    agent: peer.urlFor(name),
    calls: 1,
    timeouts: TIMEOUTS,
    seed: number,
  };
  const began = performance.now();
  const { ends, unclear } = await client.ask<CallEnds>("run", plan);
  const ms = performance.now() - began;
  return { end: Object.keys(ends).join(), ms, wrong: unclear.join("; "), input: peer.take(name) };
}

async function loadFile(loader: MeasuredProcess, file: keyof SettingsInput, input: Buffer): Promise<Outcome> {
  const began = performance.now();
  const wrong = await loader.ask<readonly string[]>("load", { [file]: input.toString("base64") }).then(
    (lines) => lines.join("; "),
    (error: Error) => `the loader threw ${error.message}`,
  );
  return { end: "loaded", ms: performance.now() - began, wrong, input };
}
