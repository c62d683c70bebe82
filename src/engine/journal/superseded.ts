// Owns which entries of a batch need no line, because another one of the same batch says the same.

import type { StoredEntry } from "../event-sink.ts";

/** The end of a task holds all of it: what leads there in the same batch need not be written. */
export function withoutSuperseded(entries: readonly StoredEntry[]): readonly StoredEntry[] {
  const ended = new Set<string>();
  for (const { event, end } of entries) if (end !== undefined) ended.add(event.taskId);
  if (ended.size === 0) return entries;
  return entries.filter(
    ({ event, end }) => end !== undefined || event.kind.startsWith("push-") || !ended.has(event.taskId),
  );
}
