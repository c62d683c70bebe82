// Owns writing messages and parts as A2A 0.3 spells them: `kind` on everything, lower-case roles, files below `file`. Real 0.3
// JSON has `bytes` and `uri`; the longer names of the 0.3 text are type names.

import type { Json, JsonObject } from "../platform/json.ts";
import { isObject } from "../platform/json.ts";
import { encodeMessage } from "./encode.ts";
import type { Message, Part } from "./types.ts";

/** Everything but role and parts is spelled as in 1.0. */
export function encodeV03Message(message: Message): JsonObject {
  return {
    ...encodeMessage(message),
    kind: "message",
    role: message.role === "ROLE_USER" ? "user" : "agent",
    parts: message.parts.map(encodeV03Part),
  };
}

export function encodeV03Part(part: Part): JsonObject {
  const metadata = part.metadata === undefined ? {} : { metadata: part.metadata };
  if ("text" in part) return { kind: "text", text: part.text, ...metadata };
  if ("data" in part) return { kind: "data", data: dataObject(part.data), ...metadata };
  const name = part.filename === undefined ? {} : { name: part.filename };
  const mimeType = part.mediaType === undefined ? {} : { mimeType: part.mediaType };
  const content = "raw" in part ? { bytes: part.raw } : { uri: part.url };
  return { kind: "file", file: { ...content, ...name, ...mimeType }, ...metadata };
}

/** 0.3 takes objects only. */
function dataObject(data: Json): JsonObject {
  return isObject(data) ? data : { value: data };
}
