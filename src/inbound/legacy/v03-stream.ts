// Owns a task stream as A2A 0.3 has it: bare events with `kind`, the last status marked as final, and the end at a question too.

import type { TaskOptions } from "../../core/protocol/encode.ts";
import { encodeV03Frame } from "../../core/protocol/encode-v03-task.ts";
import { isTerminal } from "../../core/protocol/task-state.ts";
import type { StreamResponse } from "../../core/protocol/types.ts";
import type { ResultStream } from "../rpc-method.ts";
import type { TaskStream } from "../task-stream.ts";

export function v03Stream(stream: TaskStream, options?: TaskOptions): ResultStream {
  let over = false;
  return {
    async next() {
      const frame = over ? undefined : await stream.next();
      if (frame === undefined) return undefined;
      over = isFinal(frame);
      if (over) stream.close();
      return encodeV03Frame(frame, over, options);
    },
    close: () => stream.close(),
  };
}

function isFinal(frame: StreamResponse): boolean {
  if (!("statusUpdate" in frame)) return false;
  const { state } = frame.statusUpdate.status;
  return isTerminal(state) || state === "TASK_STATE_INPUT_REQUIRED";
}
