// Owns counting what matters in files that were read, so that they are made smaller as if this server had written them.

import type { ReadJournal } from "./journal-read.ts";
import { countLine, type Segment } from "./segment.ts";
import type { Tracks } from "./tracks.ts";

export function takeIn(
  { segments, tracks }: { readonly segments: Set<Segment>; readonly tracks: Tracks },
  { segments: found, merge, marks }: ReadJournal,
): void {
  for (const segment of found) segments.add(segment);
  for (const { line } of merge.ends.values()) countLine(line);
  for (const [taskId, lines] of merge.open()) for (const { line } of lines) tracks.add({ kind: "event", taskId }, line);
  for (const [taskId, lines] of merge.push()) for (const { line } of lines) tracks.add({ kind: "push", taskId }, line);
  for (const [taskId, line] of marks) tracks.add({ kind: "told", taskId }, line);
}
