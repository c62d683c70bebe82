// A sink that keeps every batch, as a journal would, for tests that look at what was stored.

import { type EventSink, noBodies, type StoredEvent } from "../../src/engine/event-sink.ts";

export interface MemorySink extends EventSink {
  readonly batches: readonly (readonly StoredEvent[])[];
  events(): readonly StoredEvent[];
}

export function createMemorySink(): MemorySink {
  const batches: (readonly StoredEvent[])[] = [];
  return {
    batches,
    events: () => batches.flat(),
    write(entries) {
      batches.push(entries.map(({ event }) => event));
      return Promise.resolve(noBodies());
    },
  };
}
