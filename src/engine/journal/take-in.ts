// Owns counting what matters in files that were read, so that they are made smaller as if this server had written them.

import type { Clock } from "../../core/platform/clock.ts";
import { eachInSlices } from "../slices.ts";
import type { ReadJournal } from "./journal-read.ts";
import { countLine, type Segment } from "./segment.ts";
import type { Tracks } from "./tracks.ts";

export interface TakeInDeps {
  readonly clock: Clock;
  readonly segments: Set<Segment>;
  readonly tracks: Tracks;
}

/** Nothing may be made smaller meanwhile. */
export async function takeIn({ clock, segments, tracks }: TakeInDeps, read: ReadJournal): Promise<void> {
  for (const segment of read.segments) segments.add(segment);
  await eachInSlices(clock, read.ends, ({ body }) => countLine(body));
  for (const [taskId, lines] of read.open) for (const { line } of lines) tracks.add({ kind: "event", taskId }, line);
  for (const [taskId, lines] of read.push) for (const { line } of lines) tracks.add({ kind: "push", taskId }, line);
  await eachInSlices(clock, read.marks, ([taskId, line]) => tracks.add({ kind: "told", taskId }, line));
}
