// A client on a fake clock and a scripted A2A peer over real sockets, with what every outbound test asks at its end: no socket
// and no timer is left.

import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { buildSettings } from "../../src/core/config/build-settings.ts";
import { mergeLayers } from "../../src/core/config/layer.ts";
import type { PeerSettings, Settings } from "../../src/core/config/settings.ts";
import { type A2aError, type ErrorCode, isA2aError } from "../../src/core/platform/errors.ts";
import { createHttpPort } from "../../src/core/platform/http.ts";
import { createLog } from "../../src/core/platform/log.ts";
import type { Audit } from "../../src/core/ports.ts";
import { encodeCard } from "../../src/core/protocol/encode.ts";
import type { AgentCard } from "../../src/core/protocol/types.ts";
import { NETWORK_RULES } from "../../src/core/security/call-rule.ts";
import { createA2aClient } from "../../src/outbound/client.ts";
import type { A2aClient, CallRequest, CallResult } from "../../src/outbound/client-types.ts";
import type { OutboundDeps } from "../../src/outbound/outbound-deps.ts";
import { agentCard, agentInterface } from "./builders.ts";
import { createCountIds } from "./count-ids.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { type HttpPeer, type PeerRequest, sendJson, startHttpPeer } from "./http-peer.ts";
import { createMemoryAudit, type MemoryAudit } from "./memory-audit.ts";

export type Method = (request: PeerRequest, response: ServerResponse, nth: number) => void;

export interface Rig {
  readonly clock: FakeClock;
  readonly client: A2aClient;
  readonly peer: HttpPeer;
  readonly audit: MemoryAudit;
  /** Settings that the client reads at its next call. */
  settings: Settings;
  /** Calls the peer by its URL. */
  call(fields?: Partial<CallRequest>): Promise<CallResult>;
  /** Like `call`, while the clock moves. */
  callTicking(fields?: Partial<CallRequest>): Promise<CallResult>;
  /** Closes both and asserts that no socket and no timer is left. */
  end(): Promise<void>;
}

export interface RigOptions {
  readonly streaming?: boolean;
  /** Replaces the card; the interface url is the peer's own unless given. */
  readonly card?: (origin: string) => AgentCard | undefined;
  /** Scripts by JSON-RPC method; a missing one answers 404. */
  readonly methods?: Readonly<Record<string, Method>>;
}

type SomeSettings = Omit<Partial<Settings>, "peers"> & {
  readonly peers?: Readonly<Record<string, Pick<PeerSettings, "url"> & Partial<PeerSettings>>>;
};

/** The defaults, but for these; a peer is the operator's unless it says otherwise. */
export function testSettings({ peers = {}, ...fields }: SomeSettings = {}): Settings {
  const filled = Object.entries(peers).map(
    ([name, peer]) => [name, { origin: "operator", capabilities: [], headers: {}, ...peer }] as const,
  );
  return { ...buildSettings(mergeLayers([])).settings, peers: Object.fromEntries(filled), ...fields };
}

export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const counts = new Map<string, number>();
  const peer = await startHttpPeer((request, response) => {
    if (request.method === "GET") return answerCard(peer, options, request, response);
    const method = request.rpc.method ?? "";
    const nth = (counts.get(method) ?? 0) + 1;
    counts.set(method, nth);
    const script = options.methods?.[method];
    if (script === undefined) response.writeHead(404).end();
    else script(request, response, nth);
  });
  const clock = createFakeClock();
  const audit = createMemoryAudit();
  const rig: Rig = {
    ...{ clock, peer, audit },
    settings: testSettings(),
    client: createTestClient(clock, () => rig.settings, audit),
    call: (fields = {}) =>
      rig.client.call({ agent: peer.origin, text: "hello", detached: false, typed: false, ...fields }),
    callTicking: (fields) => whileTicking(clock, rig.call(fields)),
    async end() {
      await whileTicking(clock, rig.client.close());
      await peer.allClosed();
      await peer.stop();
      assert.equal(clock.pending(), 0, "a timer was left behind");
    },
  };
  return rig;
}

export function createTestClient(
  clock: FakeClock,
  settings: () => Settings,
  audit: Audit = createMemoryAudit(),
  more: Pick<OutboundDeps, "redaction" | "tokens"> = {},
): A2aClient {
  const ids = createCountIds();
  const http = createHttpPort({ clock, network: NETWORK_RULES });
  const log = createLog(clock, ids.token);
  return createA2aClient({ http, clock, ids, log, settings, sessionId: "caller-session", audit, ...more });
}

function answerCard(peer: HttpPeer, options: RigOptions, request: PeerRequest, response: ServerResponse): void {
  if (request.path !== "/.well-known/agent-card.json") {
    response.writeHead(404).end();
    return;
  }
  const card = (options.card ?? ((origin) => peerCard(origin, options.streaming ?? false)))(peer.origin);
  if (card === undefined) response.writeHead(404).end();
  else sendJson(response, encodeCard(card));
}

function peerCard(origin: string, streaming: boolean): AgentCard {
  return agentCard({
    supportedInterfaces: [agentInterface({ url: `${origin}/` })],
    capabilities: { streaming },
  });
}

/** Moves the clock a little on each turn of the event loop until the work is done. */
export async function whileTicking<T>(clock: FakeClock, work: Promise<T>, stepMs = 20): Promise<T> {
  let pending = true;
  const done = (): void => {
    pending = false;
  };
  work.then(done, done);
  while (pending) {
    await nextTurn();
    if (pending) clock.tick(stepMs);
  }
  return await work;
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The error that the work ends with; fails when it ends well or with another code. */
export async function failure(work: Promise<unknown>, code: ErrorCode): Promise<A2aError> {
  const error = await work.then(
    (value) => assert.fail(`expected ${code}, got a result: ${JSON.stringify(value)}`),
    (caught: unknown) => caught,
  );
  assert.ok(isA2aError(error, code), `expected ${code}, got ${String(error)}`);
  return error;
}
