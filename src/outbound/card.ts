// Owns finding an agent's card (A2A 1.0 §8): which addresses are tried, what counts as a card, what is reported when there is
// none. Without a card no call is made: an address that shows no sign of A2A must not be handed a task.

import { A2aError, isA2aError } from "../core/platform/errors.ts";
import { isTooLarge } from "../core/platform/http-errors.ts";
import type { HttpResponse } from "../core/platform/http-types.ts";
import { parseJson } from "../core/platform/json.ts";
import { decodeCard } from "../core/protocol/decode-card.ts";
import { traceHeaders } from "../core/protocol/trace-context.ts";
import type { CallLimit } from "./call-limit.ts";
import { withinLimit } from "./call-limit.ts";
import { createCardCache, type FoundCard } from "./card-cache.ts";
import { cardUrls } from "./card-urls.ts";
import type { Outgoing } from "./logins.ts";
import type { OutboundDeps, Target } from "./outbound-deps.ts";
import { versionHeader } from "./peer-request.ts";
import { CONNECT_TIMEOUT_MS, namingPeer, OWN_HEADERS } from "./rpc.ts";
import { sendUntilTaken } from "./sending.ts";
import { withLogin } from "./with-login.ts";

const MAX_CARD_BYTES = 1024 * 1024;
const CARD_TIMEOUT_MS = 30_000;
const MOST_WARNINGS = 20;

/** From the cache while it is fresh, always from the peer, or so without a second try where nothing answers. */
export type CardReading = "cached" | "ask" | "ask-once";

export interface CardReader {
  /** The card, within 30 s and the limit. */
  read(target: Target, limit: CallLimit, how?: CardReading): Promise<FoundCard>;
  /** The next read asks the peer. */
  forget(target: Target): void;
}

type CardDeps = Pick<OutboundDeps, "http" | "clock" | "log" | "settings" | "tokens" | "redaction">;
/** Why one address gave no card. */
interface Miss {
  readonly url: string;
  readonly why: string;
  readonly refused: A2aError | undefined;
}

export function createCardReader(deps: CardDeps): CardReader {
  const cache = createCardCache(deps.clock);
  return {
    async read(target, limit, how = "cached") {
      const key = keyOf(target);
      const known = cache.get(key);
      if (known?.fresh === true && how === "cached") return known.found;
      const text = `${target.peer.name} did not give its agent card within ${CARD_TIMEOUT_MS / 1000} s`;
      const inner = withinLimit(deps.clock, limit, CARD_TIMEOUT_MS, text);
      try {
        const got = await namingPeer(target, () =>
          findCard(how === "ask-once" ? withoutRetries(deps) : deps, target, inner, known?.found),
        );
        cache.put(key, got.found, got.cacheControl);
        return got.found;
      } finally {
        inner.stop();
      }
    },
    forget: (target) => cache.forget(keyOf(target)),
  };
}

function withoutRetries(deps: CardDeps): CardDeps {
  return { ...deps, settings: () => ({ ...deps.settings(), retryAttempts: 0 }) };
}

/** A card that was read under one address policy, or with one login, says nothing about another. */
function keyOf({ peer, typed }: Target): string {
  return `${typed} ${peer.source} ${peer.source === "url" ? "" : peer.name} ${peer.url}`;
}

interface GotCard {
  readonly found: FoundCard;
  readonly cacheControl: string | undefined;
}

async function findCard(
  deps: CardDeps,
  target: Target,
  limit: CallLimit,
  known: FoundCard | undefined,
): Promise<GotCard> {
  const misses: Miss[] = [];
  const urls = cardUrls(target.peer.url);
  for (const url of known === undefined ? urls : [known.cardUrl, ...urls.filter((one) => one !== known.cardUrl)]) {
    const got = await tryCard(deps, target, limit, url, known?.cardUrl === url ? known : undefined);
    if ("found" in got) return got;
    misses.push(got);
  }
  throw noCard(target, misses);
}

async function tryCard(
  deps: CardDeps,
  target: Target,
  limit: CallLimit,
  url: string,
  known: FoundCard | undefined,
): Promise<GotCard | Miss> {
  try {
    const response = await fetchCard(deps, target, limit, url, known?.etag);
    const cacheControl = response.headers.get("cache-control");
    if (response.status === 304 && known !== undefined) {
      response.close();
      return { found: known, cacheControl };
    }
    return { found: await readCard(response, url, deps.redaction), cacheControl };
  } catch (error) {
    return missOf(url, error);
  }
}

async function fetchCard(
  deps: CardDeps,
  target: Target,
  limit: CallLimit,
  url: string,
  etag: string | undefined,
): Promise<HttpResponse> {
  const request = ({ headers, addresses }: Outgoing): Promise<HttpResponse> =>
    deps.http.request({
      method: "GET",
      url,
      headers: {
        ...OWN_HEADERS,
        ...versionHeader("1.0"),
        ...traceHeaders(target.trace),
        Accept: "application/json",
        ...(etag === undefined ? {} : { "If-None-Match": etag }),
        ...headers,
      },
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      maxBytes: MAX_CARD_BYTES,
      signal: limit.signal,
      addresses,
      verifySsl: deps.settings().verifySsl,
    });
  const unchanged = etag === undefined ? {} : { alsoFine: 304 };
  const login = withLogin(deps, { called: target, url, limit, request });
  return await sendUntilTaken(deps, { peer: target.peer.name, id: null, limit, ...login, ...unchanged });
}

async function readCard(response: HttpResponse, url: string, redaction: CardDeps["redaction"]): Promise<FoundCard> {
  if (isEventStream(response)) {
    response.close();
    throw new A2aError("PARSE_ERROR", "an event stream");
  }
  const etag = response.headers.get("etag");
  const text = await response.text().catch((error: unknown) => {
    throw isTooLarge(error) ? noCardSize(url, error) : error;
  });
  const warnings: string[] = [];
  const card = decodeCard(parseJson(redaction?.known(text) ?? text), url, (warning) => {
    if (warnings.length < MOST_WARNINGS) warnings.push(warning);
  });
  return { card, cardUrl: url, warnings, ...(etag === undefined ? {} : { etag }) };
}

/** Some endpoints answer GET with a stream that never ends. */
function isEventStream({ headers }: HttpResponse): boolean {
  return /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
}

function noCardSize(url: string, cause: A2aError): A2aError {
  const text = `what stands at ${url} is larger than ${MAX_CARD_BYTES / 1024 / 1024} MiB, which no agent card is`;
  const hint = "The address may serve something else; if it is the agent's, its operator has to correct the card.";
  return new A2aError("PEER_BAD_REPLY", text, { cause, hint, metadata: cause.metadata });
}

/** An address without a card is passed over; a peer that fails or cannot be reached ends the search. */
function missOf(url: string, error: unknown): Miss {
  if (!isA2aError(error)) throw error;
  const status = Number(error.metadata.httpStatus ?? 0);
  if (status === 401 || status === 403) return { url, why: `HTTP ${status}`, refused: error };
  if (status >= 300 && status < 500 && status !== 429) return { url, why: missText(status, error), refused: undefined };
  const noCardInIt = error.code === "PARSE_ERROR" || error.code === "INVALID_REQUEST" || isMalformed(error);
  if (noCardInIt && status === 0) return { url, why: error.message, refused: undefined };
  throw error;
}

function missText(status: number, error: A2aError): string {
  return status < 400 ? `HTTP ${status}, ${error.hint}` : `HTTP ${status}`;
}

/** What the decoder says of JSON that is no card. */
function isMalformed(error: A2aError): boolean {
  return error.code === "PEER_BAD_REPLY" && error.message.startsWith("the peer sent a malformed reply");
}

function noCard(target: Target, misses: readonly Miss[]): A2aError {
  const refused = misses.find((miss) => miss.refused !== undefined);
  const tried = misses.map((miss) => `${miss.url} (${miss.why})`).join(", ");
  if (refused?.refused !== undefined) {
    const { message, hint, metadata } = refused.refused;
    return new A2aError("PEER_REFUSED", `${message}; agent card tried at ${tried}`, { hint, metadata });
  }
  return new A2aError("PEER_BAD_REPLY", `${target.peer.name} has no agent card; tried ${tried}`, {
    hint: "Give the address under which /.well-known/agent-card.json stands, or the card's own. Without a card nothing is sent.",
  });
}
