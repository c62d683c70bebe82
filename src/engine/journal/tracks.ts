// Owns which lines of a journal still matter besides the bodies of ended tasks: the events of tasks that have not ended, and those of
// webhooks as long as their task is kept.

import type { LineHead } from "./journal-line.ts";
import { countLine, dropLine, type KeptLine } from "./segment.ts";

export interface Tracks {
  /** A line was written, or found. Ends are not tracked: they end the track of their task's events. */
  add(head: Pick<LineHead, "kind" | "taskId">, line: KeptLine): void;
  /** Nothing of the task matters any more. */
  forget(taskId: string): void;
  /** Whether a line of this kind matters. */
  has(kind: "event" | "push", taskId: string): boolean;
  /** Lines of one kind are elsewhere now. */
  move(kind: "event" | "push", taskId: string, move: (line: KeptLine) => KeptLine | undefined): void;
}

interface Track {
  event: KeptLine[];
  push: KeptLine[];
}

export function createTracks(): Tracks {
  const tracks = new Map<string, Track>();
  const tidy = (taskId: string, { event, push }: Track): void => {
    if (event.length === 0 && push.length === 0) tracks.delete(taskId);
  };
  return {
    add({ kind, taskId }, line) {
      const track = tracks.get(taskId) ?? { event: [], push: [] };
      if (kind === "end") {
        track.event.forEach(dropLine);
        track.event = [];
        tidy(taskId, track);
        return;
      }
      tracks.set(taskId, track);
      track[kind].push(line);
      countLine(line);
    },
    forget(taskId) {
      const track = tracks.get(taskId);
      track?.event.forEach(dropLine);
      track?.push.forEach(dropLine);
      tracks.delete(taskId);
    },
    has: (kind, taskId) => (tracks.get(taskId)?.[kind].length ?? 0) > 0,
    move(kind, taskId, move) {
      const track = tracks.get(taskId);
      if (track === undefined) return;
      track[kind] = track[kind].map((line) => {
        const moved = move(line);
        if (moved === undefined) return line;
        dropLine(line);
        countLine(moved);
        return moved;
      });
    },
  };
}
