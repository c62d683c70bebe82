// Owns what agents send beside their reply: thoughts, and the tools they use. The marks are those of known frameworks (Google's
// ADK and Gemini CLI); what has none of them is the reply. Pure.

import type { JsonObject, Message, Part } from "../core/protocol/types.ts";

/** Parts of an agent's reasoning, and data that tells of a tool. A tool that waits for the caller is a question. */
export function isAside(part: Part): boolean {
  const { metadata = {} } = part;
  if (metadata.thought === true || metadata.adk_thought === true) return true;
  return "data" in part && typeof metadata.adk_type === "string" && metadata.adk_is_long_running !== true;
}

/** What the metadata of a status event says of its message. */
export type StatusKind = "text" | "piece" | "question" | "aside";

/** Gemini CLI streams its reply in pieces, between its thoughts and the tools it uses. */
export function statusKind(event: JsonObject | undefined, message: Message): StatusKind {
  const kind = coderKind(event) ?? coderKind(message.metadata);
  switch (kind) {
    case undefined:
    case "state-change":
      return "text";
    case "text-content":
      return "piece";
    case "tool-call-confirmation":
      return "question";
    default:
      return "aside";
  }
}

function coderKind(metadata: JsonObject | undefined): string | undefined {
  const agent = metadata?.coderAgent;
  if (typeof agent !== "object" || agent === null || !("kind" in agent)) return undefined;
  return typeof agent.kind === "string" ? agent.kind : undefined;
}
