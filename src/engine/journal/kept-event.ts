// Owns reading an event of a journal's line back; FILE_FAILED when it is damaged.

import { isMoment } from "../../core/platform/clock.ts";
import { A2aError } from "../../core/platform/errors.ts";
import { isObject } from "../../core/platform/json.ts";
import type { Principal } from "../../core/ports.ts";
import {
  decodeKeptArtifact,
  decodeKeptDialect,
  decodeKeptMessage,
  decodeKeptMetadata,
  decodeKeptPushConfig,
  decodeKeptStatus,
} from "../../core/protocol/decode-kept.ts";
import type { PushEvent } from "../push-event.ts";
import type { SubmittedEvent, TaskEvent } from "../task-event.ts";

export function decodeTaskEvent(value: unknown): TaskEvent {
  const event = objectOf(value);
  const frame = frameOf(event);
  switch (event.kind) {
    case "submitted":
      return submittedEvent(event, frame);
    case "message":
      return { kind: "message", ...frame, message: decodeKeptMessage(event.message) };
    case "status":
      return { kind: "status", ...frame, status: decodeKeptStatus(event.status) };
    case "artifact": {
      const pieces = { append: event.append === true, lastChunk: event.lastChunk === true };
      return {
        kind: "artifact",
        ...frame,
        ...pieces,
        provisional: false,
        artifact: decodeKeptArtifact(event.artifact),
      };
    }
    case "metadata":
      return { kind: "metadata", ...frame, metadata: decodeKeptMetadata(event.metadata) };
    default:
      throw damaged("kind");
  }
}

export function decodePushEvent(value: unknown): PushEvent {
  const event = objectOf(value);
  const frame = frameOf(event);
  if (event.kind === "push-told") return { kind: "push-told", ...frame, configId: text(event, "configId") };
  if (event.kind === "push-deleted") return { kind: "push-deleted", ...frame, configId: text(event, "configId") };
  if (event.kind === "push-set") return { kind: "push-set", ...frame, config: decodeKeptPushConfig(event.config) };
  throw damaged("kind");
}

function submittedEvent(event: Record<string, unknown>, frame: ReturnType<typeof frameOf>): SubmittedEvent {
  const dialect = decodeKeptDialect(event.dialect);
  return {
    kind: "submitted",
    ...frame,
    owner: principalOf(event.owner),
    detached: event.detached === true,
    status: decodeKeptStatus(event.status),
    message: decodeKeptMessage(event.message),
    ...(dialect === undefined ? {} : { dialect }),
  };
}

function principalOf(value: unknown): Principal {
  const owner = objectOf(value);
  return { key: text(owner, "key"), name: text(owner, "name") };
}

function frameOf(event: Record<string, unknown>) {
  const { at } = event;
  if (!isMoment(at)) throw damaged("at");
  return { taskId: text(event, "taskId"), contextId: text(event, "contextId"), at };
}

function text(owner: Record<string, unknown>, name: string): string {
  const value = owner[name];
  if (typeof value === "string") return value;
  throw damaged(name);
}

function objectOf(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value;
  throw damaged("an object");
}

function damaged(what: string): A2aError {
  return new A2aError("FILE_FAILED", `an event that was kept is damaged (${what})`);
}
