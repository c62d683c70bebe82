// Owns which ended tasks have events in other files than their end. As long as such a file is there, the end has to stay, also of a task
// that is kept no longer: a start that found the events alone would take the task for one that was interrupted.

import { dropLine, type KeptLine, type Segment } from "./segment.ts";

export interface Leftovers {
  /** `segment` holds events of the task, and not its end. */
  add(taskId: string, segment: Segment): void;
  /** It does not, or they matter. */
  remove(taskId: string, segment: Segment): void;
  /** The task is kept no longer: true when its end stays, and counts, until the files with its events are gone. */
  hold(taskId: string, end: KeptLine): boolean;
  /** The end of a task that is kept no longer. */
  held(taskId: string): KeptLine | undefined;
  /** The file is not there any more. */
  gone(segment: Segment): void;
}

export function createLeftovers(): Leftovers {
  const bySegment = new Map<Segment, Set<string>>();
  const byTask = new Map<string, Set<Segment>>();
  const held = new Map<string, KeptLine>();
  const remove = (taskId: string, segment: Segment): void => {
    if (!removeFrom(byTask, taskId, segment)) return;
    const end = held.get(taskId);
    held.delete(taskId);
    if (end !== undefined) dropLine(end);
  };
  return {
    add(taskId, segment) {
      addTo(bySegment, segment, taskId);
      addTo(byTask, taskId, segment);
    },
    remove(taskId, segment) {
      removeFrom(bySegment, segment, taskId);
      remove(taskId, segment);
    },
    hold(taskId, end) {
      if (!byTask.has(taskId)) return false;
      held.set(taskId, end);
      return true;
    },
    held: (taskId) => held.get(taskId),
    gone(segment) {
      const tasks = bySegment.get(segment) ?? [];
      bySegment.delete(segment);
      for (const taskId of tasks) remove(taskId, segment);
    },
  };
}

function addTo<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

/** True when nothing is left there. */
function removeFrom<K, V>(sets: Map<K, Set<V>>, key: K, value: V): boolean {
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
  return !sets.has(key);
}
