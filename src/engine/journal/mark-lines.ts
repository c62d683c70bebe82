// Owns the lines that tell which replies have arrived: many in one line, which goes along with what is written anyway. A line that
// stands in the file of its tasks' ends goes where they go; only those that stand elsewhere are tracked.

import type { DeliveryMark } from "../delivery-mark.ts";
import type { TaskBody } from "../event-sink.ts";
import { decodeBody, encodeTold, type Line } from "./journal-line.ts";
import { isLine, type KeptLine, type Segment } from "./segment.ts";
import type { Tracks } from "./tracks.ts";

/** No task id holds it, nor does the name of a message. */
const BETWEEN = "/";

export function encodeMarks(marks: readonly DeliveryMark[], n: number, at: number): Line {
  const texts = marks.map(({ taskId, message }) => (message === undefined ? taskId : `${taskId}${BETWEEN}${message}`));
  return encodeTold(marks[0]?.taskId ?? "", at, n, JSON.stringify(texts));
}

/** None when the line is damaged. */
export function decodeMarks(line: Uint8Array): readonly DeliveryMark[] {
  const texts = decodeBody(line);
  if (!Array.isArray(texts)) return [];
  return texts.flatMap((text: unknown) => (typeof text === "string" ? [markFrom(text)] : []));
}

function markFrom(text: string): DeliveryMark {
  const at = text.indexOf(BETWEEN);
  return at === -1 ? { taskId: text, message: undefined } : { taskId: text.slice(0, at), message: text.slice(at + 1) };
}

/** Whether the mark goes where the end of its task goes; `end` is where that is. */
export function goesAlong({ message }: DeliveryMark, end: TaskBody | undefined, segment: Segment): boolean {
  return message === undefined && end !== undefined && isLine(end) && end.segment === segment;
}

/** Counts a line of marks that was written, or found. */
export function trackMarks(
  tracks: Tracks,
  marks: readonly DeliveryMark[],
  line: KeptLine,
  find: (taskId: string) => TaskBody | undefined,
): void {
  for (const mark of marks) {
    const end = find(mark.taskId);
    if (goesAlong(mark, end, line.segment)) continue;
    if (end !== undefined || tracks.has("event", mark.taskId)) tracks.add({ kind: "told", taskId: mark.taskId }, line);
  }
}
