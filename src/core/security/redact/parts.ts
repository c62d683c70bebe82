// Owns redaction of what messages and artifacts are made of (A2A 1.0 §4.1.6). Texts, names, addresses and data lose their secrets;
// a file is never changed: it goes as it is, or not at all.

import { changed } from "../../platform/changed.ts";
import { A2aError } from "../../platform/errors.ts";
import type { Json, JsonObject } from "../../platform/json.ts";
import type { Part, RawPart } from "../../protocol/types.ts";
import { oneLine } from "../sanitize.ts";
import type { Redaction } from "./redaction.ts";

/** The part without secrets; bytes of a file stay as they are. */
export function redactPart(part: Part, redaction: Redaction): Part {
  const named = part.filename === undefined ? part : { ...part, filename: redaction.text(part.filename) };
  if ("text" in named) return changed(named, { text: redaction.text(named.text) });
  if ("url" in named) return { ...named, url: redaction.text(named.url) };
  if ("data" in named) return { ...named, data: redactJson(named.data, redaction) };
  return named;
}

/** Each text in it, with the name that it stands behind. */
function redactJson(value: Json, redaction: Redaction, name = ""): Json {
  if (typeof value === "string") return redactMember(name, value, redaction);
  if (typeof value !== "object" || value === null) return value;
  return isList(value) ? value.map((item) => redactJson(item, redaction, name)) : redactMetadata(value, redaction);
}

export function redactMetadata(fields: JsonObject, redaction: Redaction): JsonObject {
  const entries = Object.entries(fields);
  return Object.fromEntries(entries.map(([name, item]): [string, Json] => [name, redactJson(item, redaction, name)]));
}

/** The name may be what tells that the text is a secret. */
function redactMember(name: string, value: string, redaction: Redaction): string {
  const before = `${JSON.stringify(name)}:`;
  const redacted = redaction.text(before + JSON.stringify(value));
  if (!redacted.startsWith(before)) return redaction.text(value);
  try {
    const text: unknown = JSON.parse(redacted.slice(before.length));
    return typeof text === "string" ? text : redaction.text(value);
  } catch {
    // The quotation marks went with the secret.
    return redaction.text(value);
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Throws INVALID_PARAMS with the kinds when the file is a text and holds secrets. */
export async function refuseSecrets(file: RawPart, redaction: Redaction, pause: () => Promise<void>): Promise<void> {
  const bytes = Buffer.from(file.raw, "base64");
  if (bytes.subarray(0, 8192).includes(0)) return;
  const kinds = await redaction.findInFile(bytes.toString("utf8"), pause);
  if (kinds.length === 0) return;
  const name = redaction.text(oneLine(file.filename ?? "the file", 200));
  throw new A2aError("INVALID_PARAMS", `${name} was not sent, because it seems to hold a secret: ${kinds.join(", ")}`, {
    hint: "Remove the secret from the file, or send only the part that is needed.",
  });
}
