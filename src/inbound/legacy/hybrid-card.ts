// Makes the card that clients of A2A 0.3 can read, and those of 1.0 as well: the card of 1.0 with the older fields beside it, and the
// same address once more in the older version (A2A 1.0 §8; the 0.3 card has `url`, `protocolVersion` and flat security at its top).

import { isObject, omitUndefined } from "../../core/platform/json.ts";
import { encodeCard } from "../../core/protocol/encode.ts";
import type { AgentCard, AgentInterface, Json, JsonObject } from "../../core/protocol/types.ts";
import { sessionDetails } from "../extensions.ts";

export function encodeHybridCard(card: AgentCard): JsonObject {
  const [first] = card.supportedInterfaces;
  const older = card.supportedInterfaces.map((entry): AgentInterface => ({ ...entry, protocolVersion: "0.3" }));
  const { securitySchemes, securityRequirements, capabilities } = card;
  return omitUndefined({
    ...encodeCard({ ...card, supportedInterfaces: [...card.supportedInterfaces, ...older] }),
    url: first?.url,
    preferredTransport: first?.protocolBinding,
    protocolVersion: "0.3.0",
    additionalInterfaces: older.map(({ url, protocolBinding }) => ({ url, transport: protocolBinding })),
    supportsAuthenticatedExtendedCard: capabilities.extendedAgentCard,
    securitySchemes: securitySchemes === undefined ? undefined : mapValues(securitySchemes, hybridScheme),
    security: securityRequirements?.map(flatRequirement),
    metadata: sessionDetails(card),
  });
}

/** Both forms in one object: 0.3 tells schemes apart by `type`, 1.0 by the name of the one member. */
function hybridScheme(scheme: Json): Json {
  if (!isObject(scheme)) return scheme;
  const { httpAuthSecurityScheme: http, apiKeySecurityScheme: key } = scheme;
  if (isObject(http)) return { ...scheme, type: "http", scheme: lowerCase(http.scheme) };
  if (isObject(key)) return omitUndefined({ ...scheme, type: "apiKey", in: key.location, name: key.name });
  return scheme;
}

/** `{schemes: {bearer: {list: []}}}` -> `{bearer: []}` */
function flatRequirement(requirement: JsonObject): JsonObject {
  const { schemes } = requirement;
  return isObject(schemes) ? mapValues(schemes, (scopes) => (isObject(scopes) ? (scopes.list ?? []) : [])) : {};
}

function mapValues(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

function lowerCase(value: Json | undefined): Json {
  return typeof value === "string" ? value.toLowerCase() : (value ?? null);
}
