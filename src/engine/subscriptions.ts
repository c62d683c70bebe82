// Owns one reader's view of a task: a snapshot, then each event in order. A reader that falls behind is ended, never waited for;
// closing one touches no other.

import type { Task } from "../core/protocol/types.ts";
import type { Subscription } from "./engine-types.ts";
import type { TaskEvent } from "./task-event.ts";
import { eventBytes } from "./task-size.ts";

/** Unread bytes a reader may hold before it is ended. */
export const MAX_BEHIND_BYTES = 4 * 1024 * 1024;

type EndReason = Exclude<ReturnType<Subscription["ended"]>, undefined>;

/** The engine's side of a subscription. */
export interface Feed extends Subscription {
  push(event: TaskEvent): void;
  /** What was pushed before can still be read. */
  end(reason: "terminal" | "stopped"): void;
}

/** `onEnd` is called once, however the feed ends. */
export function openFeed(snapshot: Task, onEnd: (feed: Feed) => void): Feed {
  let unread: { readonly event: TaskEvent; readonly bytes: number }[] = [];
  let unreadBytes = 0;
  let readers: ((event: TaskEvent | undefined) => void)[] = [];
  let reason: EndReason | undefined;

  const finish = (why: EndReason): void => {
    if (reason !== undefined) return;
    reason = why;
    if (why === "overflow" || why === "closed") unread = [];
    for (const read of readers) read(undefined);
    readers = [];
    onEnd(feed);
  };

  const feed: Feed = {
    snapshot: () => snapshot,
    push(event) {
      if (reason !== undefined) return;
      const read = readers.shift();
      if (read !== undefined) return read(event);
      if (unreadBytes > MAX_BEHIND_BYTES) return finish("overflow");
      const bytes = eventBytes(event);
      unread.push({ event, bytes });
      unreadBytes += bytes;
    },
    next() {
      const oldest = unread.shift();
      if (oldest !== undefined) {
        unreadBytes -= oldest.bytes;
        return Promise.resolve(oldest.event);
      }
      if (reason !== undefined) return Promise.resolve(undefined);
      return new Promise((resolve) => readers.push(resolve));
    },
    ended: () => (unread.length === 0 ? reason : undefined),
    close() {
      unread = [];
      finish("closed");
    },
    end: finish,
  };
  return feed;
}
