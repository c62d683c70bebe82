// Owns what this client asks peers for, and how each dialect writes that (A2A 1.0 §3, §9; 0.3 §7): method, params, version
// header. Pure; what peers answer is decoded alike in every dialect.

import type { JsonObject } from "../core/platform/json.ts";
import { encodeMessage } from "../core/protocol/encode.ts";
import { encodeV03Message } from "../core/protocol/encode-v03-message.ts";
import type { Message } from "../core/protocol/types.ts";
import type { Dialect } from "./dialect.ts";

/** By the names of 1.0. */
export type PeerRequest =
  | {
      readonly method: "SendMessage";
      readonly message: Message;
      /** Wants the task's id at once instead of its end. */
      readonly returnImmediately: boolean;
    }
  | { readonly method: "SendStreamingMessage"; readonly message: Message }
  | { readonly method: "GetTask" | "CancelTask" | "SubscribeToTask"; readonly taskId: string };

export interface EncodedRequest {
  readonly method: string;
  readonly params: JsonObject;
}

const SLASH_NAMES = {
  SendMessage: "message/send",
  SendStreamingMessage: "message/stream",
  GetTask: "tasks/get",
  CancelTask: "tasks/cancel",
  SubscribeToTask: "tasks/resubscribe",
} as const;

export function encodeRequest(request: PeerRequest, dialect: Dialect): EncodedRequest {
  return { method: methodName(request.method, dialect), params: paramsOf(request, dialect) };
}

/** Agents may leave these methods out. */
export function isOptional({ method }: PeerRequest): boolean {
  return method === "SendStreamingMessage" || method === "SubscribeToTask";
}

/** Changes nothing at the peer. */
export function isQuestion({ method }: PeerRequest): boolean {
  return method === "GetTask" || method === "SubscribeToTask";
}

/** Servers of 0.3 may take any version that they are told for one that they do not serve, so they are told none. */
export function versionHeader(dialect: Dialect): Readonly<Record<string, string>> {
  return dialect === "1.0" ? { "A2A-Version": "1.0" } : {};
}

function methodName(method: PeerRequest["method"], dialect: Dialect): string {
  if (dialect === "1.0") return method;
  // Earlier pi-a2a sessions know only this name for it.
  if (dialect === "pi-a2a" && method === "SubscribeToTask") return "tasks/subscribe";
  return SLASH_NAMES[method];
}

function paramsOf(request: PeerRequest, dialect: Dialect): JsonObject {
  if ("taskId" in request) return { id: request.taskId };
  const message = dialect === "0.3" ? encodeV03Message(request.message) : encodeMessage(request.message);
  if (request.method !== "SendMessage" || !request.returnImmediately) return { message };
  return { message, configuration: dialect === "0.3" ? { blocking: false } : { returnImmediately: true } };
}
