// Owns reading a peer's agent card (A2A 1.0 §4.4, §8), also the flat and hybrid ones of 0.3. Lenient: what is missing is empty,
// what has the wrong type is passed over with a warning. Says nothing about whether an address may be called.

import { A2aError } from "../platform/errors.ts";
import {
  type Fields,
  fieldsOf,
  needString,
  omitUndefined,
  pathTo,
  type Refuse,
  readBoolean,
  readField,
  readFilledString,
  readJsonObject,
  readString,
  toJsonObject,
} from "../platform/json.ts";
import { modernCard } from "./decode-legacy.ts";
import { LIMITS, PEER_RULES } from "./decode-rules.ts";
import { isEveryInterface, reachableUrl } from "./interface-url.ts";
import { orElse, readEntries, type Warn } from "./lenient-fields.ts";
import type { AgentCapabilities, AgentCard, AgentExtension, AgentInterface, AgentSkill } from "./types.ts";

/** Of one field, within a warning. */
const refuse: Refuse = (path, problem) => new A2aError("PEER_BAD_REPLY", `${path} ${problem}`);

/**
 * The card found at `cardUrl`, against which relative interface urls are resolved. At most 10,000 entries of each list. Throws
 * PEER_BAD_REPLY for what has neither a name nor an interface, and so is no card at all.
 */
export function decodeCard(value: unknown, cardUrl: string, onWarning: Warn = () => undefined): AgentCard {
  const fields = fieldsOf(modernCard(value), "card", PEER_RULES.refuse);
  const reader = createReader({ ...fields, refuse }, onWarning);
  const supportedInterfaces = decodeInterfaces(reader, cardUrl);
  const name = reader.read(readFilledString, "name");
  if (name === undefined && supportedInterfaces.length === 0) {
    throw PEER_RULES.refuse("card", "has neither a name nor an interface");
  }
  return omitUndefined({
    name: name ?? hostOf(cardUrl),
    description: reader.text("description") ?? "",
    version: reader.text("version") ?? "",
    supportedInterfaces,
    capabilities: decodeCapabilities(reader),
    defaultInputModes: reader.names("defaultInputModes"),
    defaultOutputModes: reader.names("defaultOutputModes"),
    skills: reader.entries("skills", (item, path) => decodeSkill(item, path, onWarning)) ?? [],
    provider: decodeProvider(reader),
    documentationUrl: reader.text("documentationUrl"),
    securitySchemes: reader.read(readJsonObject, "securitySchemes"),
    securityRequirements: reader.entries("securityRequirements", (item, path) => toJsonObject(item, path, refuse)),
  });
}

/** The fields of one object of the card. */
interface Reader {
  readonly warn: Warn;
  read<T>(how: (fields: Fields, name: string) => T | undefined, name: string): T | undefined;
  text(name: string): string | undefined;
  names(name: string): string[];
  entries<T>(name: string, readItem: (value: unknown, path: string) => T): T[] | undefined;
  /** The object in a field. */
  open(name: string): Reader | undefined;
}

function createReader(fields: Fields, warn: Warn): Reader {
  const entries: Reader["entries"] = (name, readItem) =>
    readEntries(fields, name, LIMITS.cardEntries, { warn, readItem });
  return {
    warn,
    read: (how, name) => orElse(warn, () => how(fields, name), undefined),
    text: (name) => orElse(warn, () => readString(fields, name), undefined),
    names: (name) => entries(name, readName) ?? [],
    entries,
    open(name) {
      const value = readField(fields, name);
      if (value === undefined) return undefined;
      const inner = orElse(warn, () => fieldsOf(value, pathTo(fields, name), refuse), undefined);
      return inner === undefined ? undefined : createReader(inner, warn);
    },
  };
}

function readName(value: unknown, path: string): string {
  if (typeof value === "string") return value;
  throw refuse(path, "must be a string");
}

/** Each url with its binding and version once, in the card's order: 0.3 fields often repeat an entry. */
function decodeInterfaces(card: Reader, cardUrl: string): AgentInterface[] {
  const entries = card.entries("supportedInterfaces", (item, path) => {
    const fields = fieldsOf(item, path, refuse);
    const url = needString(fields, "url", LIMITS.uriChars);
    if (isEveryInterface(url)) card.warn(`${path}.url is ${url}, which nobody can call; the card's host is called`);
    return omitUndefined({
      url: reachableUrl(url, cardUrl),
      // Some cards use the word of 0.3 in the list of 1.0.
      protocolBinding: readString(fields, "protocolBinding") ?? readString(fields, "transport") ?? "JSONRPC",
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

function decodeCapabilities(card: Reader): AgentCapabilities {
  const found = card.open("capabilities");
  if (found === undefined) return {};
  return omitUndefined({
    streaming: found.read(readBoolean, "streaming"),
    pushNotifications: found.read(readBoolean, "pushNotifications"),
    extendedAgentCard: found.read(readBoolean, "extendedAgentCard"),
    extensions: found.entries("extensions", decodeExtension),
  });
}

function decodeExtension(value: unknown, path: string): AgentExtension {
  const fields = fieldsOf(value, path, refuse);
  return omitUndefined({
    uri: readString(fields, "uri") ?? "",
    description: readString(fields, "description"),
    required: readBoolean(fields, "required"),
    params: readJsonObject(fields, "params"),
  });
}

/** Some directories list skills by their names alone. */
function decodeSkill(value: unknown, path: string, warn: Warn): AgentSkill {
  if (typeof value === "string") return { id: value, name: value, description: "", tags: [] };
  const reader = createReader(fieldsOf(value, path, refuse), warn);
  const id = reader.text("id");
  const name = reader.text("name");
  const examples = reader.names("examples");
  return {
    id: id ?? name ?? "",
    name: name ?? id ?? "",
    description: reader.text("description") ?? "",
    tags: reader.names("tags"),
    ...(examples.length === 0 ? {} : { examples }),
  };
}

function decodeProvider(card: Reader): AgentCard["provider"] {
  const found = card.open("provider");
  if (found === undefined) return undefined;
  return { organization: found.text("organization") ?? "", url: found.text("url") ?? "" };
}

function hostOf(cardUrl: string): string {
  return URL.canParse(cardUrl) ? new URL(cardUrl).host : "unnamed agent";
}
