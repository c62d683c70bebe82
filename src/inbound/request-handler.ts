// The way of one request through the server: guards, then a page for GET, or body, parse, route and reply for a call
// (A2A 1.0 §9). Whatever happens on the way, the caller gets one answer, and nothing that it sends can end the process.

import { changed } from "../core/platform/changed.ts";
import { A2aError, isA2aError } from "../core/platform/errors.ts";
import type { Ids } from "../core/platform/ids.ts";
import { parseJson } from "../core/platform/json.ts";
import type { Audit, Principal } from "../core/ports.ts";
import { type RpcId, readRpcId } from "../core/protocol/jsonrpc.ts";
import { readTrace } from "../core/protocol/trace-context.ts";
import { createAdmission } from "./admission/admission.ts";
import type { Admission, AdmissionRules } from "./admission/admission-types.ts";
import type { SiblingEntry } from "./admission/sibling-gate.ts";
import { type Arrival, type AuditTrail, type CallTrail, startAuditTrail } from "./audit-trail.ts";
import { sendWhenDone } from "./blocking-reply.ts";
import { type ArrivingBodies, createArrivingBodies, readBody } from "./body.ts";
import { type CardSource, createCardSource } from "./card.ts";
import { openedOrTold, sendStream } from "./event-stream.ts";
import { type Exchange, openExchange } from "./exchange.ts";
import { activatedExtensions } from "./extensions.ts";
import { lengthRefusalOf, type Refusal, refusalOf } from "./guards.ts";
import { createRateLimits, type RateLimits, type RatePass } from "./limits/rate-limits.ts";
import { createNewWork } from "./new-work.ts";
import type { Operations } from "./operations.ts";
import { createPages, type Pages } from "./pages.ts";
import { createOutbox, errorReply, type Reply, type ReplyDeps, sendEarlyReply, sendReply } from "./reply.ts";
import { type RequestFacts, readFacts } from "./request-facts.ts";
import { bindRequest } from "./rpc-binding.ts";
import type { CallContext } from "./rpc-method.ts";
import type { CallerLimits, Features, HandlerDeps, WatchedHandler } from "./server-types.ts";
import { withSharedContexts } from "./siblings/shared-contexts.ts";
import { createSiteOperations, type SiteOperations } from "./siblings/site-operations.ts";
import { createUnreadReplies } from "./unread-replies.ts";

/** For callers of a server that stops: a reload takes about so long. */
const RETRY_AFTER_SEC = 5;

const NO_TOKENS: AdmissionRules = {
  tokens: [],
  trustedPeers: [],
  allowAllUsers: false,
  trustedProxies: [],
  publicUrl: "",
  closed: false,
};
/** No session has this id. */
const UNLIMITED: CallerLimits = {
  ratePerMin: 0,
  maxTurns: Number.POSITIVE_INFINITY,
  chain: { sessionId: "", maxHops: Number.POSITIVE_INFINITY },
};
const UNCOUNTED: RatePass = { count: () => undefined, countUnread: () => undefined };
const NO_AUDIT: Audit = { record: () => undefined };

/** What all requests of one handler share. */
interface Site extends ReplyDeps {
  readonly trail: AuditTrail;
  readonly admission: Admission;
  readonly rates: RateLimits;
  readonly operations: SiteOperations;
  readonly arriving: ArrivingBodies;
  readonly pages: Pages;
  readonly cards: CardSource;
  readonly features: Features;
  readonly ids: Ids;
  readonly legacy: () => boolean;
}

/** Serves requests for one engine until `close`; later ones are told that the server is stopping. */
export function createRequestHandler(deps: HandlerDeps): WatchedHandler {
  const site = createSite(deps);
  const open = new Set<Exchange>();
  let closed = false;

  return {
    handle(request, response) {
      const exchange = openExchange(request, response);
      open.add(exchange);
      exchange.onEnd(() => open.delete(exchange));
      exchange.onStop((error) => sendEarlyReply(exchange, errorReply(null, { error }), deps.clock));
      if (closed) return exchange.stop(shuttingDown());
      void serve(site, exchange);
    },
    isIdle: () => open.size === 0,
    close() {
      closed = true;
      site.trail.close();
      // The last event of a task that was stopped just now may still be on its way to its readers.
      deps.clock.defer(() => {
        site.outbox.flush();
        for (const exchange of open) exchange.stop(shuttingDown());
      });
    },
  };
}

function createSite(deps: HandlerDeps): Site {
  const { engine, cardFacts, clock, ids, log, features = {}, admission, allowInsecurePush } = deps;
  const limits = deps.limits ?? (() => UNLIMITED);
  const legacy = deps.legacy ?? (() => true);
  const cards = createCardSource(cardFacts, clock, features);
  const pushRules = { offered: features.push ?? true, allowInsecure: allowInsecurePush ?? (() => false) };
  const door = createAdmission(admission ?? (() => NO_TOKENS));
  const toWire = (error: unknown): A2aError => {
    if (isA2aError(error)) return error;
    return new A2aError("INTERNAL", `internal error ${log.fault("inbound request", error)}`, { cause: error });
  };
  const trail = startAuditTrail({ audit: deps.audit ?? NO_AUDIT, engine, clock, toWire });
  const contexts = deps.siblings === undefined ? engine : withSharedContexts(engine, deps.siblings.siblings);
  const newWork = createNewWork(contexts, clock, limits, trail);
  return {
    admission: door,
    rates: createRateLimits(clock, () => limits().ratePerMin),
    trail,
    operations: createSiteOperations(deps, newWork, pushRules),
    pages: createPages(cards, door.view, () => cardFacts().name, legacy),
    cards,
    features,
    legacy,
    clock,
    ids,
    unread: createUnreadReplies(),
    outbox: createOutbox({ clock, toWire }),
    arriving: createArrivingBodies(),
    toWire,
  };
}

/** Never rejects. */
async function serve(site: Site, exchange: Exchange): Promise<void> {
  try {
    await route(site, exchange);
  } catch (error) {
    exchange.stop(site.toWire(error));
  }
}

function route(site: Site, exchange: Exchange): Promise<void> | void {
  const facts = readFacts(exchange.request);
  const sibling = site.operations.gate(exchange.request, facts.forwarded);
  if (sibling !== undefined) return admitSibling(site, exchange, facts, sibling);
  const refusal = refusalOf(facts, site.admission.headRules());
  if (refusal !== undefined) return turnAway(site, exchange, facts, refusal);
  if (facts.method === "POST") return admitCall(site, exchange, facts);
  return answerHead(site, exchange, facts, site.pages.reply(facts, exchange.request.headers));
}

/** What was handed on by another session of the same user was checked, counted and noted there. */
async function admitSibling(site: Site, exchange: Exchange, facts: RequestFacts, entry: SiblingEntry): Promise<void> {
  if ("refusal" in entry) {
    const error = site.rates.refused(facts.address);
    return turnAway(site, exchange, facts, error === undefined ? entry.refusal : { error });
  }
  const call = { facts, pass: UNCOUNTED, caller: entry.principal, operations: await site.operations.forSiblings() };
  return serveCall(site, exchange, call, site.trail.silent(readTrace(facts.trace, site.ids)));
}

/** Nobody's body is read who is not let in. */
function admitCall(site: Site, exchange: Exchange, facts: RequestFacts): Promise<void> | void {
  const entry = site.admission.admit(facts);
  if ("refusal" in entry) {
    const error = site.rates.refused(entry.address);
    return turnAway(site, exchange, facts, error === undefined ? entry.refusal : { error });
  }
  const pass = site.rates.enter(entry, facts.contentLength);
  const caller = withAsserted(entry.principal, facts);
  const tooLong = lengthRefusalOf(facts);
  if (tooLong === undefined) {
    const call = { facts, pass, caller, operations: site.operations.forCallers };
    return serveCall(site, exchange, call, site.trail.open(caller, readTrace(facts.trace, site.ids)));
  }
  pass.countUnread();
  return turnAway(site, exchange, facts, tooLong, caller);
}

function turnAway(site: Site, exchange: Exchange, facts: RequestFacts, refusal: Refusal, caller?: Principal): void {
  site.trail.turnedAway(facts, refusal.error, caller);
  answerHead(site, exchange, facts, errorReply(null, refusal));
}

/** Answers without reading the body that may follow. */
function answerHead(site: Site, exchange: Exchange, facts: RequestFacts, reply: Reply): void {
  if (facts.hasBody) sendEarlyReply(exchange, reply, site.clock);
  else site.outbox.send(exchange, reply);
}

/** A call that was let in. */
interface Call {
  readonly facts: RequestFacts;
  readonly caller: Principal;
  readonly pass: RatePass;
  readonly operations: Operations;
}

async function serveCall(site: Site, exchange: Exchange, call: Call, trail: CallTrail): Promise<void> {
  const { facts, pass } = call;
  const failWith = (send: (reply: Reply) => void) => (error: A2aError) => {
    trail.refused(error);
    send(errorReply(id, { error }));
  };
  let id: RpcId = null;
  exchange.onStop(failWith((reply) => sendEarlyReply(exchange, reply, site.clock)));
  if (facts.expectsContinue) exchange.response.writeContinue();
  tellExtensions(site, exchange, facts);
  const value = await readCall(site, exchange, pass);
  const fail = failWith((reply) => sendReply(exchange, reply));
  exchange.onStop(fail);
  try {
    id = readRpcId(value);
    const arrival = trail.asked(value, facts.contentLength);
    pass.count(value);
    const bound = bindRequest(value, facts.version, site.legacy());
    const context = contextOf(site, exchange, call, arrival);
    if (bound.kind === "notification") sendReply(exchange, { status: 204, headers: [], body: "" });
    else if (bound.kind === "reply") await sendWhenDone(exchange, id, trail.follow(bound.run(context)), site);
    else await sendStream(exchange, id, await openedOrTold(bound, trail.follow(bound.open(context))), site);
  } catch (error) {
    fail(site.toWire(error));
  }
}

/** What cannot be read counts as well. */
async function readCall({ clock, arriving }: Site, { request }: Exchange, { countUnread }: RatePass): Promise<unknown> {
  try {
    return parseJson(await readBody(request, clock, arriving));
  } catch (error) {
    countUnread();
    throw error;
  }
}

function contextOf(
  { admission, features, cards, ids, legacy }: Site,
  exchange: Exchange,
  { facts, caller, operations }: Call,
  trace: Arrival,
): CallContext {
  return {
    operations,
    features,
    legacy: legacy(),
    newMessageId: ids.message,
    caller,
    trace: changed(trace, { onReplied: exchange.onReplied }),
    extensions: facts.extensions,
    hasExtendedCard: () => cards.hasExtended(admission.view(facts)),
    extendedCard: () => cards.extended(admission.view(facts)),
    signal: exchange.signal,
  };
}

/** Set before anything is written, it stands on every kind of reply; under its name of 0.3, too, where that is served. */
function tellExtensions({ features, legacy }: Site, { response }: Exchange, { extensions }: RequestFacts): void {
  if (extensions.length === 0) return;
  const activated = activatedExtensions(extensions, features).join(", ");
  if (activated === "") return;
  response.setHeader("A2A-Extensions", activated);
  if (legacy()) response.setHeader("X-A2A-Extensions", activated);
}

/** Only what is shown of a caller changes, and only of one that was let in. */
function withAsserted(principal: Principal, { asserted }: RequestFacts): Principal {
  return asserted === undefined ? principal : { ...principal, asserted };
}

function shuttingDown(): A2aError {
  return new A2aError("SHUTTING_DOWN", "the server is stopping", { retryAfterSec: RETRY_AFTER_SEC });
}
