// Owns reading the params of requests (A2A 1.0 §3.2, §9.4): strict, INVALID_PARAMS with the path of the field relative to
// params. What a field means together with stored tasks is for the operations to check.

import {
  type Fields,
  fieldsOf,
  needString,
  omitUndefined,
  pathTo,
  readBoolean,
  readField,
  readFilledString,
  readInt,
  readJsonObject,
  readStrings,
} from "../platform/json.ts";
import { decodeMessage } from "./decode-message.ts";
import { decodePushTarget } from "./decode-push.ts";
import { CALLER_RULES, LIMITS } from "./decode-rules.ts";
import type {
  CancelTaskParams,
  GetTaskParams,
  Message,
  PushTarget,
  SendConfiguration,
  SendMessageParams,
  TaskIdParams,
  TenantParams,
} from "./types.ts";

const LARGEST_INT32 = 2_147_483_647;
/** Letters that show nothing by themselves: zero-width, fillers, marks of direction, controls. */
const BLANK = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;

/** Params of SendMessage and SendStreamingMessage: a user's message that says something. */
export function decodeSendMessageParams(params: unknown): SendMessageParams {
  const fields = open(params, "");
  return omitUndefined({
    message: decodeUserMessage(needField(fields, "message"), "message"),
    configuration: decodeConfiguration(fields),
    metadata: readJsonObject(fields, "metadata"),
    tenant: readTenant(fields),
  });
}

/** Params of CancelTask. */
export function decodeCancelTaskParams(params: unknown): CancelTaskParams {
  const fields = open(params, "");
  return omitUndefined({
    id: needString(fields, "id", LIMITS.idChars),
    metadata: readJsonObject(fields, "metadata"),
    tenant: readTenant(fields),
  });
}

/** Params of GetExtendedAgentCard, which may be missing. */
export function decodeTenantParams(params: unknown): TenantParams {
  return params === undefined || params === null ? {} : omitUndefined({ tenant: readTenant(open(params, "")) });
}

/** Params of SubscribeToTask. */
export function decodeTaskIdParams(params: unknown): TaskIdParams {
  const fields = open(params, "");
  return omitUndefined({ id: needString(fields, "id", LIMITS.idChars), tenant: readTenant(fields) });
}

/** Params of GetTask; an absent historyLength is the server's choice, 0 is no history. */
export function decodeGetTaskParams(params: unknown): GetTaskParams {
  const fields = open(params, "");
  return omitUndefined({
    id: needString(fields, "id", LIMITS.idChars),
    historyLength: readHistoryLength(fields),
    tenant: readTenant(fields),
  });
}

function decodeUserMessage(value: unknown, path: string): Message {
  const message = decodeMessage(value, path, CALLER_RULES);
  if (message.role !== "ROLE_USER") {
    throw CALLER_RULES.refuse(`${path}.role`, `must be ROLE_USER in a request, not ${message.role}`);
  }
  if (message.parts.every((part) => "text" in part && BLANK.test(part.text))) {
    throw CALLER_RULES.refuse(`${path}.parts`, "must hold more than blank text");
  }
  return message;
}

function decodeConfiguration(fields: Fields): SendConfiguration | undefined {
  const value = readField(fields, "configuration");
  if (value === undefined) return undefined;
  const configuration = open(value, pathTo(fields, "configuration"));
  return omitUndefined({
    acceptedOutputModes: readStrings(configuration, "acceptedOutputModes", LIMITS.outputModes, LIMITS.mediaTypeChars),
    historyLength: readHistoryLength(configuration),
    returnImmediately: readBoolean(configuration, "returnImmediately"),
    taskPushNotificationConfig: decodeInlinePushConfig(configuration),
  });
}

/** A webhook that comes with a message. */
function decodeInlinePushConfig(configuration: Fields): PushTarget | undefined {
  const value = readField(configuration, "taskPushNotificationConfig");
  if (value === undefined) return undefined;
  const fields = open(value, pathTo(configuration, "taskPushNotificationConfig"));
  // Both are told by the message already; they only have to be of their type.
  readFilledString(fields, "taskId", LIMITS.idChars);
  readTenant(fields);
  return decodePushTarget(fields);
}

export function readHistoryLength(fields: Fields): number | undefined {
  return readInt(fields, "historyLength", 0, LARGEST_INT32);
}

export function readTenant(fields: Fields): string | undefined {
  return readFilledString(fields, "tenant", LIMITS.idChars);
}

function needField(fields: Fields, name: string): unknown {
  const value = readField(fields, name);
  if (value === undefined) throw fields.refuse(pathTo(fields, name), "is missing");
  return value;
}

function open(value: unknown, path: string): Fields {
  return fieldsOf(value, path, CALLER_RULES.refuse);
}
