// Owns reading webhooks (A2A 1.0 §3.1.7-3.1.10, §4.3): strict, INVALID_PARAMS with the path of the field. What goes into a header
// of a delivery must fit there; where a webhook may lead is for the operations to check.

import {
  type Fields,
  fieldsOf,
  needString,
  omitUndefined,
  pathTo,
  readField,
  readFilledString,
  readInt,
  readList,
} from "../platform/json.ts";
import { CALLER_RULES, LIMITS } from "./decode-rules.ts";
import type {
  AuthenticationInfo,
  CreatePushConfigParams,
  ListPushConfigsParams,
  PushConfig,
  PushConfigIdParams,
  PushConfigPage,
  PushTarget,
} from "./types.ts";

const LARGEST_INT32 = 2_147_483_647;
/** RFC 9110 §5.6.2, and printable ASCII that neither begins nor ends with a blank. */
const HEADER_TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_TEXT = /^[!-~]([ -~]*[!-~])?$/;

/** Params of CreateTaskPushNotificationConfig. */
export function decodeCreatePushConfigParams(params: unknown): CreatePushConfigParams {
  const fields = open(params, "");
  return omitUndefined({ taskId: readTaskId(fields), tenant: readTenant(fields), ...decodePushTarget(fields) });
}

/** Params of GetTaskPushNotificationConfig and DeleteTaskPushNotificationConfig. */
export function decodePushConfigIdParams(params: unknown): PushConfigIdParams {
  const fields = open(params, "");
  const id = needString(fields, "id", LIMITS.idChars);
  return omitUndefined({ taskId: readTaskId(fields), id, tenant: readTenant(fields) });
}

/** Params of ListTaskPushNotificationConfigs; a pageSize of 0 is none. */
export function decodeListPushConfigsParams(params: unknown): ListPushConfigsParams {
  const fields = open(params, "");
  return omitUndefined({
    taskId: readTaskId(fields),
    pageSize: readInt(fields, "pageSize", 0, LARGEST_INT32) || undefined,
    pageToken: readFilledString(fields, "pageToken", LIMITS.uriChars),
    tenant: readTenant(fields),
  });
}

/** A webhook as another session of ours gives it back. */
export function decodePushConfig(value: unknown): PushConfig {
  const fields = open(value, "config");
  return {
    ...decodePushTarget(fields),
    taskId: readTaskId(fields),
    id: needString(fields, "id", LIMITS.idChars),
  };
}

/** A page of them. */
export function decodePushConfigPage(value: unknown): PushConfigPage {
  const fields = open(value, "page");
  return omitUndefined({
    configs: readList(fields, "configs", LARGEST_INT32, decodePushConfig) ?? [],
    nextPageToken: readFilledString(fields, "nextPageToken", LIMITS.uriChars),
  });
}

/** The webhook that `fields` hold. Its task is told by its place, so a taskId beside it is not read. */
export function decodePushTarget(fields: Fields): PushTarget {
  return omitUndefined({
    id: readFilledString(fields, "id", LIMITS.idChars),
    url: needString(fields, "url", LIMITS.uriChars),
    token: readHeaderText(fields, "token"),
    authentication: decodeAuthentication(fields),
  });
}

function decodeAuthentication(config: Fields): AuthenticationInfo | undefined {
  const value = readField(config, "authentication");
  if (value === undefined) return undefined;
  const fields = open(value, pathTo(config, "authentication"));
  const scheme = needString(fields, "scheme", LIMITS.idChars);
  if (!HEADER_TOKEN.test(scheme)) throw fields.refuse(pathTo(fields, "scheme"), "must be one word, such as Bearer");
  return omitUndefined({ scheme, credentials: readHeaderText(fields, "credentials") });
}

function readHeaderText(fields: Fields, name: string): string | undefined {
  const text = readFilledString(fields, name, LIMITS.uriChars);
  if (text === undefined || HEADER_TEXT.test(text)) return text;
  throw fields.refuse(
    pathTo(fields, name),
    "must be printable ASCII without blanks around it, as it goes into a header",
  );
}

function readTaskId(fields: Fields): string {
  return needString(fields, "taskId", LIMITS.idChars);
}

function readTenant(fields: Fields): string | undefined {
  return readFilledString(fields, "tenant", LIMITS.idChars);
}

function open(value: unknown, path: string): Fields {
  return fieldsOf(value, path, CALLER_RULES.refuse);
}
