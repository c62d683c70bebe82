// Owns the frames of a stream in an older dialect.

import { isA2aError } from "../../core/platform/errors.ts";
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
