// Owns the outbound client: finds the peer and its interface, runs one call after the other under its limits, counts. Holds the
// calls in flight and ends them when it is closed.

import { setMaxListeners } from "node:events";
import { within } from "../core/platform/clock.ts";
import { A2aError, isA2aError } from "../core/platform/errors.ts";
import type { CallChain } from "../core/ports.ts";
import { type ChainLinks, passedOn } from "../core/protocol/chain.ts";
import { nextTrace } from "../core/protocol/trace-context.ts";
import { oneLine } from "../core/security/sanitize.ts";
import { type Call, receive, resultOfCall } from "./call.ts";
import { type Asking, askingOf, startCallAudit } from "./call-audit.ts";
import { endedCall } from "./call-end.ts";
import { type CallLimit, startCallLimit } from "./call-limit.ts";
import { cancelTask } from "./cancel-remote.ts";
import { type CardReader, createCardReader } from "./card.ts";
import { needInterface } from "./choose-interface.ts";
import type { A2aClient, CallRequest, CallResult, Discovery, StatusRequest } from "./client-types.ts";
import { type Conversations, createConversations, refusedAnswer } from "./conversations.ts";
import { createDialectMemory, type DialectMemory } from "./dialect.ts";
import { discoveryOf } from "./discover.ts";
import { findAgent } from "./find-agent.ts";
import { likelyAddresses } from "./likely-addresses.ts";
import { aboutTask } from "./lost-task.ts";
import type { Endpoint, OutboundDeps, Target } from "./outbound-deps.ts";
import { createOutboundStats } from "./outbound-stats.ts";
import { isKnownPeer, resolvePeer } from "./peers.ts";
import { startProgress } from "./progress.ts";
import { type AnsweredQuestion, createReplyFold } from "./reply.ts";
import { sendMessage } from "./send.ts";
import { taskNow, waitForTask } from "./status.ts";
import { loginOfCard } from "./wanted-login.ts";

/** A session that quits has two seconds in all; peers are told to stop within this part of them. */
const CLOSE_MS = 1000;

/** Opens nothing until it is asked; every method reads the settings anew. */
export function createA2aClient(deps: OutboundDeps): A2aClient {
  const cards = createCardReader(deps);
  const closing = new AbortController();
  // Each call in flight listens. From the eleventh on Node would tell the terminal of a leak.
  setMaxListeners(0, closing.signal);
  const stats = createOutboundStats(deps.clock);
  const conversations = createConversations();
  const dialects = createDialectMemory();
  const shared: Shared = { deps, cards, conversations, dialects, closed: closing.signal, inFlight: new Set() };

  return {
    discover: (target, options) => discover(shared, { agent: target, ...options }),
    call: (request) =>
      withPeer(shared, request, askingOf(request), (target, limit) =>
        stats.count(() => send(shared, target, limit, request)),
      ),
    status: (request) =>
      withPeer(shared, request, { method: "GetTask", taskId: request.taskId }, (target, limit) =>
        askStatus(shared, target, limit, request),
      ),
    cancel: (agent, taskId, options) =>
      withPeer(shared, { agent, ...options }, { method: "CancelTask", taskId }, (target, limit) =>
        cancel(shared, target, limit, taskId),
      ),
    peerNames: () => Object.keys(deps.settings().peers),
    stats: () => stats.now(),
    async close() {
      closing.abort();
      await within(deps.clock, CLOSE_MS, Promise.allSettled(shared.inFlight));
      deps.tokens?.close();
      deps.http.close();
    },
  };
}

interface Shared {
  readonly deps: OutboundDeps;
  readonly cards: CardReader;
  readonly conversations: Conversations;
  readonly dialects: DialectMemory;
  /** Aborts when the client is closed. */
  readonly closed: AbortSignal;
  readonly inFlight: Set<Promise<unknown>>;
}

type TracedTarget = Target & Required<Pick<Target, "trace" | "onLogin">>;

interface Asked {
  readonly agent: string;
  readonly typed: boolean;
  readonly chain?: CallChain;
  readonly signal?: AbortSignal;
}

/** Looks the peer up and bounds everything that `work` does by the peer's time for one call. */
async function withPeer<T extends CallResult | Discovery>(
  shared: Shared,
  asked: Asked,
  asking: Asking,
  work: (target: TracedTarget, limit: CallLimit) => Promise<T>,
): Promise<T> {
  const trace = nextTrace(asked.chain ?? {}, shared.deps.ids);
  const exchange = startCallAudit(shared.deps, asking, trace);
  const { onLogin } = exchange;
  const target = { ...resolvePeer(asked.agent, asked.typed, shared.deps.settings()), trace, onLogin };
  const { name, timeoutMs } = target.peer;
  const limit = startCallLimit(shared.deps.clock, {
    timeoutMs,
    timeoutText: `no final answer from ${name} within ${timeoutMs / 1000} s`,
    signal: asked.signal,
    closed: shared.closed,
  });
  // Between two tries or questions nothing else may be open.
  const held = shared.deps.clock.hold();
  const working = exchange.follow(name, () => work(target, limit));
  shared.inFlight.add(working);
  try {
    return await working;
  } catch (error) {
    if (mayBeStale(error)) shared.cards.forget(target);
    throw error;
  } finally {
    shared.inFlight.delete(working);
    limit.stop();
    held.stop();
  }
}

/** After these the card that led there is not believed again without asking. */
function mayBeStale(error: unknown): boolean {
  return isA2aError(error) && ["PEER_UNREACHABLE", "PEER_BAD_REPLY", "PEER_ERROR"].includes(error.code);
}

async function discover(shared: Shared, asked: Asked): Promise<Discovery> {
  const { deps, cards, dialects } = shared;
  const look = (one: Asked, how: "ask" | "ask-once"): Promise<Discovery> =>
    withPeer(shared, one, { method: "GetAgentCard" }, async (target, limit) =>
      discoveryOf(target, await cards.read(target, limit, how), dialects, deps.settings()),
    );
  const { agent: host, signal } = asked;
  const urls = asked.typed && !isKnownPeer(host, deps.settings()) ? likelyAddresses(host) : [];
  if (urls.length === 0) return await look(asked, "ask");
  const probe = (url: string, stop: AbortSignal): Promise<Discovery> =>
    look({ ...asked, agent: url, signal: stop }, "ask-once");
  return await findAgent(deps.clock, { host, urls, probe, signal });
}

async function findEndpoint(shared: Shared, target: TracedTarget, limit: CallLimit): Promise<Endpoint> {
  const { peer, typed, trace, onLogin } = target;
  const { card } = await shared.cards.read(target, limit);
  const chosen = needInterface(card, peer.name);
  const streaming = card.capabilities.streaming === true;
  const dialect = shared.dialects.choiceFor(card, chosen);
  return {
    peer,
    typed,
    url: chosen.url,
    streaming,
    dialect,
    trace,
    onLogin,
    wanted: loginOfCard(card),
    ...(chosen.tenant ? { tenant: chosen.tenant } : {}),
  };
}

/** When the call ends without a result, the error says what became of the task. */
async function send(shared: Shared, target: TracedTarget, limit: CallLimit, request: CallRequest): Promise<CallResult> {
  const { conversations, deps } = shared;
  const links = linksOf(deps, request);
  const endpoint = await findEndpoint(shared, target, limit);
  const link = conversations.linkOf(endpoint.peer, request);
  const { taskId } = link;
  const askedAt = taskId === undefined ? undefined : conversations.askedAt(endpoint.peer, request.contextId, taskId);
  const answered = taskId === undefined ? undefined : { askedAt };
  const call = startCall(shared, endpoint, limit, request.onProgress, answered);
  try {
    const result = await sendMessage(call, request, link, links);
    conversations.note(result);
    return result;
  } catch (error) {
    call.progress.stop();
    const refused = refusedAnswer(error, link);
    // Taken or refused, the task does not wait any more; after a lost connection it may.
    if (refused !== undefined || call.reply.stand().taskId !== undefined) {
      conversations.forget(endpoint.peer, request.contextId);
    }
    throw await endedCall(call, refused ?? error);
  } finally {
    call.progress.stop();
  }
}

/** The chain that the message carries; throws HOPS_USED_UP before anybody is asked. */
function linksOf({ settings, sessionId }: OutboundDeps, { chain }: CallRequest): ChainLinks {
  const { maxHops } = settings().server;
  const next = passedOn(chain, { sessionId, maxHops });
  if (next !== undefined) return next;
  const times = chain?.sessions.length ?? 0;
  throw new A2aError("HOPS_USED_UP", `this work was passed on ${times} times and may not be passed on any further`);
}

function startCall(
  { deps }: Shared,
  endpoint: Endpoint,
  limit: CallLimit,
  onProgress?: CallRequest["onProgress"],
  answered?: AnsweredQuestion,
): Call {
  return { deps, endpoint, limit, reply: createReplyFold(answered), progress: startProgress(deps, onProgress) };
}

async function askStatus(
  shared: Shared,
  target: TracedTarget,
  outer: CallLimit,
  request: StatusRequest,
): Promise<CallResult> {
  if (request.taskId.trim() === "") throw new A2aError("INVALID_PARAMS", "no task id was given");
  const endpoint = await findEndpoint(shared, target, outer).catch((error: unknown) =>
    throwAbout(error, request.taskId),
  );
  const waits = request.waitSec > 0;
  const limit = startCallLimit(shared.deps.clock, {
    timeoutMs: waits ? request.waitSec * 1000 : target.peer.timeoutMs,
    timeoutText: `${target.peer.name} did not say how task ${request.taskId} stands`,
    signal: request.signal,
    closed: shared.closed,
  });
  const call = startCall(shared, endpoint, limit, request.onProgress);
  try {
    const { taskId, follow = false } = request;
    const result = waits ? await waitForTask(call, taskId, follow) : await taskNow(call, taskId);
    shared.conversations.note(result);
    return result;
  } catch (error) {
    return throwAbout(error, request.taskId);
  } finally {
    call.progress.stop();
    limit.stop();
  }
}

function throwAbout(error: unknown, taskId: string): never {
  throw isA2aError(error) ? aboutTask(error, oneLine(taskId, 80)) : error;
}

async function cancel(shared: Shared, target: TracedTarget, limit: CallLimit, taskId: string): Promise<CallResult> {
  try {
    const endpoint = await findEndpoint(shared, target, limit);
    const call = startCall(shared, endpoint, limit);
    receive(call, { task: await cancelTask(shared.deps, endpoint, taskId, limit) });
    const result = resultOfCall(call, true);
    shared.conversations.note(result);
    return result;
  } catch (error) {
    return throwAbout(error, taskId);
  }
}
