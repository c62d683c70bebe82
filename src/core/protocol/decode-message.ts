// Owns reading messages, artifacts and their parts (A2A 1.0 §4.1.4, §4.1.6, §4.1.7) from unknown input: a value of the data
// model, or an A2aError with the field's path. Ignores unknown fields, never changes its input.

import { changed } from "../platform/changed.ts";
import {
  type Fields,
  fieldsOf,
  hasField,
  needString,
  omitUndefined,
  pathTo,
  readField,
  readFilledString,
  readJsonObject,
  readList,
  readString,
  readStrings,
  toJson,
} from "../platform/json.ts";
import { normaliseBase64 } from "./base64.ts";
import { decodeRole } from "./decode-enums.ts";
import { modernPart } from "./decode-legacy.ts";
import { CALLER_RULES, LIMITS, type Rules } from "./decode-rules.ts";
import type { Artifact, Message, Part } from "./types.ts";

/**
 * A message. By a caller's rules it has a messageId, a role and 1 to 1000 parts; a peer's may lack the id ("") and parts.
 * Ids have at most 1024 characters; extensions and references at most 100 entries.
 */
export function decodeMessage(value: unknown, path: string, rules: Rules = CALLER_RULES): Message {
  const fields = fieldsOf(value, path, rules.refuse);
  return omitUndefined({
    messageId: rules.lenient
      ? (readString(fields, "messageId", LIMITS.idChars) ?? "")
      : needString(fields, "messageId", LIMITS.idChars),
    role: decodeRole(readField(fields, "role"), pathTo(fields, "role"), rules),
    parts: decodeParts(fields, rules),
    contextId: readFilledString(fields, "contextId", LIMITS.idChars),
    taskId: readFilledString(fields, "taskId", LIMITS.idChars),
    metadata: readJsonObject(fields, "metadata"),
    extensions: readStrings(fields, "extensions", LIMITS.extensions, LIMITS.uriChars),
    referenceTaskIds: readStrings(fields, "referenceTaskIds", LIMITS.references, LIMITS.idChars),
  });
}

/** An artifact. A peer's may lack parts, and gets `fallbackId` when it has no id of its own. */
export function decodeArtifact(
  value: unknown,
  path: string,
  rules: Rules = CALLER_RULES,
  fallbackId = "artifact-1",
): Artifact {
  const fields = fieldsOf(value, path, rules.refuse);
  return omitUndefined({
    artifactId: rules.lenient
      ? (readFilledString(fields, "artifactId", LIMITS.idChars) ?? fallbackId)
      : needString(fields, "artifactId", LIMITS.idChars),
    parts: decodeParts(fields, rules),
    name: readFilledString(fields, "name"),
    description: readFilledString(fields, "description"),
    metadata: readJsonObject(fields, "metadata"),
    extensions: readStrings(fields, "extensions", LIMITS.extensions, LIMITS.uriChars),
  });
}

function decodeParts(fields: Fields, rules: Rules): readonly Part[] {
  const parts = readList(fields, "parts", rules.maxParts, (item, path) => readPart(item, path, rules)) ?? [];
  const known = parts.filter((part) => part !== undefined);
  if (known.length === 0 && !rules.lenient) {
    throw rules.refuse(pathTo(fields, "parts"), "must hold at least one part");
  }
  return known;
}

/** A part with exactly one of text, raw, url, data; a peer's part with several gives the first of them in this order. */
export function decodePart(value: unknown, path: string, rules: Rules = CALLER_RULES): Part {
  const part = readPart(value, path, rules);
  if (part === undefined) throw rules.refuse(path, "must hold one of text, raw, url, data");
  return part;
}

/** undefined for a peer's part without any content that is known here. */
function readPart(value: unknown, path: string, rules: Rules): Part | undefined {
  const fields = fieldsOf(rules.lenient ? modernPart(value) : value, path, rules.refuse);
  const present = contentNames(fields);
  if (present.length !== 1 && !rules.lenient) {
    const found = present.length === 0 ? "none of them" : present.join(" and ");
    throw rules.refuse(path, `must hold exactly one of text, raw, url, data, not ${found}`);
  }
  const base = omitUndefined({
    mediaType: readFilledString(fields, "mediaType", LIMITS.mediaTypeChars),
    filename: readFilledString(fields, "filename", LIMITS.filenameChars),
    metadata: readJsonObject(fields, "metadata"),
  });
  switch (present[0]) {
    case "text":
      return changed(base, { text: readString(fields, "text") ?? "" });
    case "raw":
      return { ...base, raw: readRaw(fields, rules) };
    case "url":
      return { ...base, url: readString(fields, "url", rules.maxUrlChars) ?? "" };
    case "data":
      return { ...base, data: toJson(readField(fields, "data") ?? null, pathTo(fields, "data"), rules.refuse) };
    default:
      return undefined;
  }
}

/** Null is an unset text, raw and url, but a value of data; writers that spell out unset fields mean it as unset there too. */
function contentNames(fields: Fields): ("text" | "raw" | "url" | "data")[] {
  const present = (["text", "raw", "url", "data"] as const).filter((name) => readField(fields, name) !== undefined);
  return present.length === 0 && hasField(fields, "data") ? ["data"] : present;
}

function readRaw(fields: Fields, rules: Rules): string {
  const text = readString(fields, "raw") ?? "";
  const base64 = normaliseBase64(rules.lenient ? text.replace(/\s+/g, "") : text);
  if (base64 === undefined) throw rules.refuse(pathTo(fields, "raw"), "must be base64");
  return base64;
}
