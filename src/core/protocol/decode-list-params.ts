// Owns reading the params of ListTasks (A2A 1.0 §3.1.4): strict, INVALID_PARAMS with the path of the field relative to params.

import {
  describe,
  type Fields,
  fieldsOf,
  omitUndefined,
  pathTo,
  readBoolean,
  readField,
  readFilledString,
  readInt,
  readString,
} from "../platform/json.ts";
import { decodeState } from "./decode-enums.ts";
import { readHistoryLength, readTenant } from "./decode-params.ts";
import { CALLER_RULES, LIMITS } from "./decode-rules.ts";
import { decodePageToken } from "./page-token.ts";
import { instantOf } from "./timestamp.ts";
import type { ListTasksParams, TaskPosition, TaskState } from "./types.ts";

const LARGEST_PAGE = 100;
/** Of a timestamp; the token holds an id of ours besides one. */
const TIMESTAMP_CHARS = 64;
const TOKEN_CHARS = 2048;

/** Every filter may be absent; UNSPECIFIED is no filter, "" the first page. Times are compared as instants, whatever their zone. */
export function decodeListTasksParams(params: unknown): ListTasksParams {
  const fields = fieldsOf(params, "", CALLER_RULES.refuse);
  return omitUndefined({
    contextId: readFilledString(fields, "contextId", LIMITS.idChars),
    status: readState(fields),
    pageSize: readInt(fields, "pageSize", 1, LARGEST_PAGE),
    pageToken: readPageToken(fields),
    historyLength: readHistoryLength(fields),
    statusTimestampAfter: readInstant(fields),
    includeArtifacts: readBoolean(fields, "includeArtifacts"),
    tenant: readTenant(fields),
  });
}

function readState(fields: Fields): TaskState | undefined {
  const value = readField(fields, "status");
  if (value === undefined || value === "TASK_STATE_UNSPECIFIED" || value === 0) return undefined;
  return decodeState(value, pathTo(fields, "status"), CALLER_RULES);
}

function readPageToken(fields: Fields): TaskPosition | undefined {
  const text = readFilledString(fields, "pageToken", TOKEN_CHARS);
  if (text === undefined) return undefined;
  const position = decodePageToken(text);
  if (position === undefined) throw fields.refuse(pathTo(fields, "pageToken"), "is not a token of this server");
  return position;
}

function readInstant(fields: Fields): number | undefined {
  const text = readString(fields, "statusTimestampAfter", TIMESTAMP_CHARS);
  if (text === undefined) return undefined;
  const instant = instantOf(text);
  if (instant !== undefined) return instant;
  throw fields.refuse(
    pathTo(fields, "statusTimestampAfter"),
    `must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z, not ${describe(text)}`,
  );
}
