// Owns the spellings of A2A 0.3, of older pi-a2a sessions and of hybrid peers: each function turns one into the 1.0 shape,
// unread and shallow, and gives back what it does not know. The decoders do the checking; nothing here refuses anything.

import { isObject } from "../platform/json.ts";

type Members = Readonly<Record<string, unknown>>;

/** `completed`, `input_required`, `cancelled`, `TASK_STATE_CANCELLED` -> the 1.0 name. */
export function modernState(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const name = value
    .toUpperCase()
    .replaceAll("-", "_")
    .replace(/^TASK_STATE_/, "");
  return `TASK_STATE_${name === "CANCELLED" ? "CANCELED" : name}`;
}

/** `user`, `agent` -> the 1.0 name; a peer's message without a role is the agent's. */
export function modernRole(value: unknown): unknown {
  if (value === undefined || value === 0 || value === "ROLE_UNSPECIFIED") return "ROLE_AGENT";
  return typeof value === "string" ? `ROLE_${value.toUpperCase().replace(/^ROLE_/, "")}` : value;
}

/** `{kind: "file", file: {bytes | uri, mimeType, name}}` -> the flat part; other parts only carry a tag that nobody reads. */
export function modernPart(value: unknown): unknown {
  if (!isObject(value) || !isObject(value.file)) return value;
  const file = value.file;
  return {
    metadata: value.metadata,
    raw: file.bytes ?? file.fileWithBytes ?? file.file_with_bytes,
    url: file.uri ?? file.fileWithUri ?? file.file_with_uri,
    mediaType: file.mimeType ?? file.mime_type ?? file.mediaType ?? file.media_type,
    filename: file.name ?? file.filename,
  };
}

const MEMBERS = ["task", "message", "statusUpdate", "artifactUpdate", "status_update", "artifact_update"];

/** A bare Task, Message or event, with or without `kind`, -> the object with one member that 1.0 wraps it in. */
export function modernFrame(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (MEMBERS.some((name) => isObject(value[name]))) return modernMembers(value);
  const member = memberFor(value);
  if (member === undefined) return value;
  return { [member]: value };
}

function memberFor(value: Members): string | undefined {
  switch (value.kind) {
    case "task":
      return "task";
    case "message":
      return "message";
    case "status-update":
      return "statusUpdate";
    case "artifact-update":
      return "artifactUpdate";
  }
  if (isObject(value.artifact)) return "artifactUpdate";
  if (isObject(value.status)) return (value.taskId ?? value.task_id) === undefined ? "task" : "statusUpdate";
  if (Array.isArray(value.artifacts)) return "task";
  return Array.isArray(value.parts) ? "message" : undefined;
}

/** A wrapped task -> the bare one; and some hosts hand through an agent's result that has only artifacts: that agent is done. */
export function modernTask(value: unknown): unknown {
  if (!isObject(value) || isObject(value.status)) return value;
  if (isObject(value.task)) return value.task;
  return Array.isArray(value.artifacts) ? { ...value, status: { state: "TASK_STATE_COMPLETED" } } : value;
}

/** Older pi-a2a frames: a whole Task as `statusUpdate`, a bare artifact as `artifactUpdate`. */
function modernMembers(value: Members): Members {
  const status = value.statusUpdate;
  if (isObject(status) && typeof status.id === "string" && (status.taskId ?? status.task_id) === undefined) {
    return { task: status };
  }
  const update = value.artifactUpdate;
  if (isObject(update) && update.artifact === undefined && Array.isArray(update.parts)) {
    return { artifactUpdate: { artifact: update } };
  }
  return value;
}

/** The flat 0.3 card: `url`, `preferredTransport`, `additionalInterfaces` become interfaces, `security` its wrapped form. */
export function modernCard(value: unknown): unknown {
  if (!isObject(value)) return value;
  const supportedInterfaces = [
    ...listOf(value.supportedInterfaces ?? value.supported_interfaces),
    ...flatInterfaces(value),
  ];
  const extended = value.supportsAuthenticatedExtendedCard ?? value.supports_authenticated_extended_card;
  return {
    ...value,
    supportedInterfaces,
    capabilities: isObject(value.capabilities)
      ? { extendedAgentCard: extended, ...value.capabilities }
      : value.capabilities,
    securityRequirements: value.securityRequirements ?? value.security_requirements ?? modernSecurity(value.security),
  };
}

function flatInterfaces(card: Members): unknown[] {
  const protocolVersion = card.protocolVersion ?? card.protocol_version ?? "0.3";
  const protocolBinding = card.preferredTransport ?? card.preferred_transport ?? "JSONRPC";
  const others = listOf(card.additionalInterfaces ?? card.additional_interfaces).map((entry) =>
    isObject(entry) ? { ...entry, protocolBinding: entry.transport, protocolVersion } : entry,
  );
  if (card.url === undefined || card.url === null || card.url === "") return others;
  return [{ url: card.url, protocolBinding, protocolVersion }, ...others];
}

/** `[{bearer: ["scope"]}]` -> `[{schemes: {bearer: {list: ["scope"]}}}]` */
function modernSecurity(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((entry) => (isObject(entry) ? { schemes: withLists(entry) } : entry));
}

function withLists(entry: Members): Members {
  return Object.fromEntries(Object.entries(entry).map(([name, scopes]) => [name, { list: scopes }]));
}

/** What is no list counts as its one entry, so that its decoder sees it. */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}
