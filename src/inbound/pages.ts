// Answers GET and HEAD: the card, the health of the server, and a 404 that names the right path. Pure over the request's
// facts and its validators.

import type { IncomingHttpHeaders } from "node:http";
import { A2aError } from "../core/platform/errors.ts";
import type { CardView } from "./admission/admission-types.ts";
import type { CardBytes, CardSource } from "./card.ts";
import { errorReply, jsonReply, type Reply } from "./reply.ts";
import type { RequestFacts } from "./request-facts.ts";
import { wantsOldCard } from "./version.ts";

const CARD_PATH = "/.well-known/agent-card.json";
const OLD_CARD_PATH = "/.well-known/agent.json";
const CARD_MAX_AGE_SEC = 60;

export interface Pages {
  reply(facts: RequestFacts, headers: IncomingHttpHeaders): Reply;
}

/** Every page is public; `view` says what of the card the caller may see. */
export function createPages(
  cards: CardSource,
  view: (facts: RequestFacts) => CardView,
  agentName: () => string,
  legacy: () => boolean,
): Pages {
  return {
    reply(facts, headers) {
      const path = facts.path.replace(/(.)\/$/, "$1");
      // Clients look for the card below the address they were given, and every path takes calls.
      if (path.endsWith(CARD_PATH) || path.endsWith(OLD_CARD_PATH)) {
        const hybrid = legacy() && (path.endsWith(OLD_CARD_PATH) || wantsOldCard(facts.version));
        return cardReply(cards.at(view(facts), hybrid), headers);
      }
      if (path === "/" || path === "/health") {
        return jsonReply(JSON.stringify({ status: "ok", agent: agentName(), card: CARD_PATH }));
      }
      return notFound(path);
    },
  };
}

function cardReply({ body, etag, since, isPrivate }: CardBytes, headers: IncomingHttpHeaders): Reply {
  const validators = [
    "ETag",
    etag,
    "Last-Modified",
    new Date(since).toUTCString(),
    "Cache-Control",
    `${isPrivate ? "private, " : ""}max-age=${CARD_MAX_AGE_SEC}`,
    "Vary",
    "A2A-Version, Authorization",
  ];
  if (isFresh(headers, etag, since)) return { status: 304, headers: validators, body: "" };
  return { status: 200, headers: ["Content-Type", "application/json", ...validators], body };
}

/** RFC 9110 §13: If-None-Match decides alone when it is there; dates count in whole seconds. */
function isFresh(headers: IncomingHttpHeaders, etag: string, since: number): boolean {
  const tags = headers["if-none-match"];
  if (tags !== undefined) {
    return tags.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
  }
  const seenAt = Date.parse(headers["if-modified-since"] ?? "");
  return Math.floor(since / 1000) * 1000 <= seenAt;
}

function notFound(path: string): Reply {
  const shown = JSON.stringify(path.slice(0, 100));
  return errorReply(null, {
    error: new A2aError(
      "INVALID_REQUEST",
      `nothing is served at ${shown}; GET ${CARD_PATH} or /health, or POST JSON-RPC 2.0 to /`,
    ),
    status: 404,
  });
}
