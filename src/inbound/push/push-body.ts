// Owns how updates for webhooks are written: as stream responses of A2A 1.0, and for tasks that were made in 0.3 as the whole task
// after a change of its status. Servers of 0.3 send nothing else, and receivers read nothing else. Older pi-a2a sessions never had
// webhooks, so their tasks have those of 1.0.

import { encodeStreamResponse } from "../../core/protocol/encode.ts";
import { encodeV03Task } from "../../core/protocol/encode-v03-task.ts";
import type { StreamResponse, Task } from "../../core/protocol/types.ts";

/** Only bodies of 0.3 begin so: those of 1.0 begin with the name of their one member. */
const V03_START = '{"kind":';

/** The bodies for `frames`, after which the task is `task`. */
export function pushBodies(frames: readonly StreamResponse[], task: Task): readonly string[] {
  if (task.dialect !== "0.3") return frames.map((frame) => JSON.stringify(encodeStreamResponse(frame)));
  const changed = frames.some((frame) => "statusUpdate" in frame);
  return changed ? [JSON.stringify(encodeV03Task(task))] : [];
}

/** The headers that tell the receiver how the body is written. */
export function wireHeaders(body: string): Readonly<Record<string, string>> {
  return body.startsWith(V03_START)
    ? { "Content-Type": "application/json", "A2A-Version": "0.3" }
    : { "Content-Type": "application/a2a+json", "A2A-Version": "1.0" };
}
