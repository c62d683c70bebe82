// Owns the list of what the files of the engine share: its ports, its tables, and the two calls from the ledger back to the life of
// a task. Types only; ./engine.ts makes the parts.

import type { CommitQueue } from "./commit-queue.ts";
import type { ContextQueue } from "./context-queue.ts";
import type { EngineDeps, EngineGraces, Observer } from "./engine-types.ts";
import type { Places } from "./places.ts";
import type { PushBook } from "./push-book.ts";
import type { Resends } from "./resends.ts";
import type { TaskRecord } from "./task-record.ts";
import type { TaskTable } from "./task-table.ts";

export interface EngineParts extends EngineDeps {
  readonly graces: EngineGraces;
  /** Times as texts. */
  readonly isoTime: (ms: number) => string;
  readonly contexts: ContextQueue<TaskRecord>;
  readonly places: Places;
  readonly table: TaskTable;
  readonly commits: CommitQueue;
  readonly book: PushBook;
  readonly resends: Resends;
  readonly observers: Set<Observer>;
  readonly counts: { completed: number; failed: number };
  /** A question became visible: it may go unanswered. */
  onQuestion(record: TaskRecord): void;
  /** Events of an acknowledged task could not be stored: it cannot go on. */
  onStoreFailure(record: TaskRecord): void;
  /** Why new work is refused; undefined while the engine is open. */
  stopReason: string | undefined;
}
