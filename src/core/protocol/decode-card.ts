// Owns reading a peer's agent card (A2A 1.0 §4.4, §8), also the flat and hybrid ones of 0.3. Lenient: what is missing is empty,
// what has the wrong type is PEER_BAD_REPLY with its path. Says nothing about whether an address may be called.

import {
  type Fields,
  fieldsOf,
  needString,
  omitUndefined,
  pathTo,
  readBoolean,
  readField,
  readJsonObject,
  readList,
  readString,
  readStrings,
  toJsonObject,
} from "../platform/json.ts";
import { modernCard } from "./decode-legacy.ts";
import { LIMITS, PEER_RULES } from "./decode-rules.ts";
import { reachableUrl } from "./interface-url.ts";
import type { AgentCapabilities, AgentCard, AgentExtension, AgentInterface, AgentSkill } from "./types.ts";

const ANY_LENGTH = Number.POSITIVE_INFINITY;

/** The card found at `cardUrl`, against which relative interface urls are resolved. At most 10,000 entries in each list. */
export function decodeCard(value: unknown, cardUrl: string): AgentCard {
  const fields = open(modernCard(value), "card");
  return omitUndefined({
    name: needString(fields, "name"),
    description: readString(fields, "description") ?? "",
    version: readString(fields, "version") ?? "",
    supportedInterfaces: decodeInterfaces(fields, cardUrl),
    capabilities: decodeCapabilities(fields),
    defaultInputModes: readNames(fields, "defaultInputModes") ?? [],
    defaultOutputModes: readNames(fields, "defaultOutputModes") ?? [],
    skills: readList(fields, "skills", LIMITS.cardEntries, decodeSkill) ?? [],
    provider: decodeProvider(fields),
    documentationUrl: readString(fields, "documentationUrl"),
    securitySchemes: readJsonObject(fields, "securitySchemes"),
    securityRequirements: readList(fields, "securityRequirements", LIMITS.cardEntries, (item, path) =>
      toJsonObject(item, path, fields.refuse),
    ),
  });
}

/** Each url with its binding and version once, in the card's order: 0.3 fields often repeat an entry. */
function decodeInterfaces(card: Fields, cardUrl: string): AgentInterface[] {
  const entries = readList(card, "supportedInterfaces", LIMITS.cardEntries, (item, path) => {
    const fields = open(item, path);
    return omitUndefined({
      url: reachableUrl(needString(fields, "url", LIMITS.uriChars), cardUrl),
      protocolBinding: readString(fields, "protocolBinding") ?? "JSONRPC",
      // Only 1.0 cards have this list, so an entry that names no version is one of 1.0.
      protocolVersion: readString(fields, "protocolVersion") ?? "1.0",
      tenant: readString(fields, "tenant", LIMITS.idChars),
    });
  });
  const known = new Map<string, AgentInterface>();
  for (const entry of entries ?? []) {
    const key = JSON.stringify([
      entry.url,
      entry.protocolBinding.toUpperCase(),
      majorMinor(entry.protocolVersion),
      entry.tenant,
    ]);
    if (!known.has(key)) known.set(key, entry);
  }
  return [...known.values()];
}

function majorMinor(version: string): string {
  return version.split(".", 2).join(".");
}

function decodeCapabilities(card: Fields): AgentCapabilities {
  const value = readField(card, "capabilities");
  if (value === undefined) return {};
  const fields = open(value, pathTo(card, "capabilities"));
  return omitUndefined({
    streaming: readBoolean(fields, "streaming"),
    pushNotifications: readBoolean(fields, "pushNotifications"),
    extendedAgentCard: readBoolean(fields, "extendedAgentCard"),
    extensions: readList(fields, "extensions", LIMITS.cardEntries, decodeExtension),
  });
}

function decodeExtension(value: unknown, path: string): AgentExtension {
  const fields = open(value, path);
  return omitUndefined({
    uri: readString(fields, "uri") ?? "",
    description: readString(fields, "description"),
    required: readBoolean(fields, "required"),
    params: readJsonObject(fields, "params"),
  });
}

function decodeSkill(value: unknown, path: string): AgentSkill {
  const fields = open(value, path);
  const id = readString(fields, "id");
  const name = readString(fields, "name");
  return omitUndefined({
    id: id ?? name ?? "",
    name: name ?? id ?? "",
    description: readString(fields, "description") ?? "",
    tags: readNames(fields, "tags") ?? [],
    examples: readNames(fields, "examples"),
  });
}

function decodeProvider(card: Fields): AgentCard["provider"] {
  const value = readField(card, "provider");
  if (value === undefined) return undefined;
  const fields = open(value, pathTo(card, "provider"));
  return { organization: readString(fields, "organization") ?? "", url: readString(fields, "url") ?? "" };
}

function readNames(fields: Fields, name: string): string[] | undefined {
  return readStrings(fields, name, LIMITS.cardEntries, ANY_LENGTH);
}

function open(value: unknown, path: string): Fields {
  return fieldsOf(value, path, PEER_RULES.refuse);
}
