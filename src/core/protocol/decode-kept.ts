// Owns reading back what this package itself has written to disk. The shape is checked as far as a damaged line could break a
// reader; what is well-formed comes back exactly as it was, which the decoders for callers and peers do not promise.

import { A2aError } from "../platform/errors.ts";
import { isObject } from "../platform/json.ts";
import { isTaskState } from "./task-state.ts";
import type { Artifact, JsonObject, LegacyDialect, Message, PushConfig, Task, TaskStatus } from "./types.ts";

/** Throws FILE_FAILED when the value is no task. */
export function decodeKeptTask(value: unknown): Task {
  const task = objectOf(value, "task");
  text(task, "id");
  text(task, "contextId");
  decodeKeptStatus(task.status);
  for (const message of list(task, "history")) decodeKeptMessage(message);
  for (const artifact of list(task, "artifacts")) decodeKeptArtifact(artifact);
  if (task.metadata !== undefined) objectOf(task.metadata, "metadata");
  return task as unknown as Task;
}

export function decodeKeptMessage(value: unknown): Message {
  const message = objectOf(value, "message");
  text(message, "messageId");
  if (message.role !== "ROLE_USER" && message.role !== "ROLE_AGENT") throw damaged("role");
  checkParts(message);
  return message as unknown as Message;
}

export function decodeKeptArtifact(value: unknown): Artifact {
  const artifact = objectOf(value, "artifact");
  text(artifact, "artifactId");
  checkParts(artifact);
  return artifact as unknown as Artifact;
}

export function decodeKeptStatus(value: unknown): TaskStatus {
  const status = objectOf(value, "status");
  if (!isTaskState(status.state)) throw damaged("state");
  if (status.timestamp !== undefined) text(status, "timestamp");
  if (status.message !== undefined) decodeKeptMessage(status.message);
  return status as unknown as TaskStatus;
}

export function decodeKeptPushConfig(value: unknown): PushConfig {
  const config = objectOf(value, "config");
  for (const name of ["taskId", "id", "url"]) text(config, name);
  return config as unknown as PushConfig;
}

export function decodeKeptMetadata(value: unknown): JsonObject {
  return objectOf(value, "metadata") as JsonObject;
}

/** undefined for every other value: a task of a dialect that is not known here reads as one of A2A 1.0. */
export function decodeKeptDialect(value: unknown): LegacyDialect | undefined {
  return value === "0.3" || value === "pi" ? value : undefined;
}

function checkParts(owner: Record<string, unknown>): void {
  for (const part of list(owner, "parts")) {
    const { text: words, raw, url, data } = objectOf(part, "part");
    const known = [words, raw, url].some((content) => typeof content === "string") || data !== undefined;
    if (!known) throw damaged("part");
  }
}

function list(owner: Record<string, unknown>, name: string): readonly unknown[] {
  const value = owner[name] ?? [];
  if (Array.isArray(value)) return value;
  throw damaged(name);
}

function text(owner: Record<string, unknown>, name: string): void {
  if (typeof owner[name] !== "string") throw damaged(name);
}

function objectOf(value: unknown, name: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw damaged(name);
}

function damaged(what: string): A2aError {
  return new A2aError("FILE_FAILED", `what was kept of a task is damaged (${what})`);
}
