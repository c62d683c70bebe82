// Owns which lines of a journal still matter besides the bodies of ended tasks: the events of tasks that have not ended, and those of
// webhooks, and of replies that arrived, as long as their task is kept.

import type { EventHead } from "./journal-line.ts";
import { countLine, dropLine, type KeptLine } from "./segment.ts";

export type TrackedKind = EventHead["kind"];

export interface Tracks {
  /** A line was written, or found. */
  add(head: Pick<EventHead, "kind" | "taskId">, line: KeptLine): void;
  /** The task has ended: its events, which do not matter any more. */
  end(taskId: string): readonly KeptLine[];
  /** Nothing of the task matters any more. */
  forget(taskId: string): void;
  /** Whether a line of this kind matters. */
  has(kind: TrackedKind, taskId: string): boolean;
  /** Lines of one kind are elsewhere now. */
  move(kind: TrackedKind, taskId: string, move: (line: KeptLine) => KeptLine | undefined): void;
}

type Track = Record<TrackedKind, KeptLine[]>;

export function createTracks(): Tracks {
  const tracks = new Map<string, Track>();
  const tidy = (taskId: string, { event, push, told }: Track): void => {
    if (event.length === 0 && push.length === 0 && told.length === 0) tracks.delete(taskId);
  };
  return {
    add({ kind, taskId }, line) {
      const track = tracks.get(taskId) ?? { event: [], push: [], told: [] };
      tracks.set(taskId, track);
      track[kind].push(line);
      countLine(line);
    },
    end(taskId) {
      const track = tracks.get(taskId);
      if (track === undefined) return [];
      const { event: past } = track;
      past.forEach(dropLine);
      track.event = [];
      tidy(taskId, track);
      return past;
    },
    forget(taskId) {
      const track = tracks.get(taskId);
      track?.event.forEach(dropLine);
      track?.push.forEach(dropLine);
      track?.told.forEach(dropLine);
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
