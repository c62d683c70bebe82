// Owns the spellings of requests in A2A 0.3 and in older pi-a2a sessions: each function turns params into those of 1.0, unread and
// shallow, and leaves alone what it does not know. The decoders of 1.0 do the checking; nothing here refuses anything.

import { isObject } from "../platform/json.ts";
import { modernPart, modernState } from "./decode-legacy.ts";

type Members = Readonly<Record<string, unknown>>;

/** By it 0.3 clients mark data that is no object and stands as `value` in one. */
const WRAPPED_DATA = "data_part_compat";

/** Whether the message of these params is spelled as in 0.3: a lower-case role, or `kind` or `type` on it or on a part. */
export function isV03Message(params: unknown): boolean {
  const message = isObject(params) ? params.message : undefined;
  if (!isObject(message)) return false;
  if (message.role === "user" || message.role === "agent" || message.kind === "message") return true;
  return Array.isArray(message.parts) && message.parts.some(isV03Part);
}

/** Params of a send with the message and configuration of 1.0. */
export function modernSendParams(params: unknown): unknown {
  if (!isObject(params)) return params;
  return {
    ...params,
    message: modernMessage(params.message),
    configuration: modernConfiguration(params.configuration),
  };
}

/** The same params, whose message has the id that `makeId` gives when it has none of its own. */
export function withMessageId(params: unknown, makeId: () => string): unknown {
  if (!isObject(params) || !isObject(params.message)) return params;
  const id = params.message.messageId ?? params.message.message_id ?? "";
  return id === "" ? { ...params, message: { ...params.message, messageId: makeId() } } : params;
}

/** Params that name one task, by `id` or, as older peers write it, by `taskId`. */
export function modernTaskParams(params: unknown): unknown {
  if (!isObject(params)) return params;
  return { ...params, id: params.id ?? params.taskId ?? params.task_id };
}

/** Params of a list, which older callers may leave out, with the state that they filter by in any spelling. */
export function modernListParams(params: unknown): unknown {
  if (!isObject(params)) return params ?? {};
  const state = params.status ?? params.state;
  return { ...params, status: typeof state === "string" && state !== "" ? modernState(state) : state };
}

/** `{taskId, pushNotificationConfig: {...}}` -> the flat params of 1.0. */
export function modernPushParams(params: unknown): unknown {
  if (!isObject(params)) return params;
  const config = nestedConfig(params);
  if (!isObject(config)) return params;
  return { ...modernWebhook(config), taskId: params.taskId ?? params.task_id, tenant: params.tenant };
}

/** `{id, pushNotificationConfigId}` -> `{taskId, id}`; the id of the webhook may be missing there. */
export function modernPushIdParams(params: unknown): unknown {
  if (!isObject(params) || (params.taskId ?? params.task_id) !== undefined) return params;
  const id = params.pushNotificationConfigId ?? params.push_notification_config_id;
  return { taskId: params.id, id, tenant: params.tenant };
}

function isV03Part(part: unknown): boolean {
  return isObject(part) && (typeof part.kind === "string" || typeof part.type === "string");
}

function modernMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { role, parts } = value;
  return {
    ...value,
    role: role === "user" || role === "agent" ? `ROLE_${role.toUpperCase()}` : role,
    parts: Array.isArray(parts) ? parts.map((part) => unwrappedData(modernPart(part))) : parts,
  };
}

function unwrappedData(part: unknown): unknown {
  if (!isObject(part) || !isObject(part.metadata) || part.metadata[WRAPPED_DATA] !== true) return part;
  if (!isObject(part.data) || !("value" in part.data)) return part;
  const { [WRAPPED_DATA]: _, ...metadata } = part.metadata;
  return { ...part, data: part.data.value, metadata };
}

/** `blocking` is the reverse of `returnImmediately`; without either a send blocks, in every dialect. */
function modernConfiguration(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { blocking } = value;
  const immediately = value.returnImmediately ?? value.return_immediately;
  const webhook = value.taskPushNotificationConfig ?? value.task_push_notification_config ?? nestedConfig(value);
  return {
    ...value,
    returnImmediately: immediately ?? (typeof blocking === "boolean" ? !blocking : blocking),
    taskPushNotificationConfig: isObject(webhook) ? modernWebhook(webhook) : webhook,
  };
}

function nestedConfig(value: Members): unknown {
  return value.pushNotificationConfig ?? value.push_notification_config;
}

/** 0.3 lists the schemes that the receiver takes, maybe none; the one that credentials are sent with is Bearer, or the first. */
function modernWebhook(config: Members): Members {
  const { authentication } = config;
  if (!isObject(authentication) || !Array.isArray(authentication.schemes)) return config;
  const schemes: readonly unknown[] = authentication.schemes;
  const bearer = schemes.find((scheme) => typeof scheme === "string" && scheme.toLowerCase() === "bearer");
  const scheme = authentication.scheme ?? bearer ?? schemes[0];
  return { ...config, authentication: scheme === undefined ? undefined : { ...authentication, scheme } };
}
