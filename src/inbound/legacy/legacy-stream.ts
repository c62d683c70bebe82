// Owns what becomes of a stream call in an older dialect: its frames, and how the caller hears that there is no stream.

import { type A2aError, ERRORS, isA2aError } from "../../core/platform/errors.ts";
import type { TaskOptions } from "../../core/protocol/encode.ts";
import type { LegacyDialect } from "../../core/protocol/types.ts";
import type { CallContext, ResultStream } from "../rpc-method.ts";
import type { TaskStream } from "../task-stream.ts";
import { type HistoryOf, piStream } from "./pi-stream.ts";
import { v03Stream } from "./v03-stream.ts";

export function streamIn(
  dialect: LegacyDialect,
  stream: TaskStream,
  context: CallContext,
  options?: TaskOptions,
): ResultStream {
  return dialect === "0.3" ? v03Stream(stream, options) : piStream(stream, historyIn(context), options);
}

/** Clients of 0.3 read no error that answers a stream call as JSON under HTTP 200: it is the one event of a stream. */
export async function openIn(dialect: LegacyDialect, open: () => Promise<ResultStream>): Promise<ResultStream> {
  try {
    return await open();
  } catch (error) {
    if (dialect !== "0.3" || !isA2aError(error) || ERRORS[error.code].http !== 200) throw error;
    return failedStream(error);
  }
}

function historyIn({ operations, caller }: CallContext): HistoryOf {
  return async (id) => {
    try {
      return (await operations.getTask(caller, { id })).history;
    } catch (error) {
      // It is no longer kept; the stream knows the rest.
      if (isA2aError(error, "TASK_NOT_FOUND")) return undefined;
      throw error;
    }
  };
}

function failedStream(error: A2aError): ResultStream {
  return { next: () => Promise.reject(error), close: () => undefined };
}
