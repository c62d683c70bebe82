// Owns the engines of this process: the newest, and those from before a reload. One of these is used until nothing is left to do there;
// then the newest takes its tasks over, and it is closed.

import type { Clock, Timer } from "../core/platform/clock.ts";
import type { Log } from "../core/platform/log.ts";
import { createEngineTable, type EngineTable } from "../engine/engine-table.ts";
import type { Engine } from "../engine/engine-types.ts";
import { addUsage, type Usage } from "./child/usage.ts";

/** How often those from before a reload are looked at. */
const LOOK_MS = 1_000;
/** After a failure, such as files that cannot be read. */
const PAUSE_MS = 60_000;

/** One of the journals of this process. */
export interface OwnJournal {
  /** The servers whose tasks are in it. */
  readonly keys: () => ReadonlySet<string>;
  /** Of the owner file beside it. Never to be shown. */
  readonly secret: string;
}

/** An engine, and what stands around it. */
export interface Generation {
  readonly engine: Engine;
  readonly journal: OwnJournal;
  readonly usage: () => Usage;
  /** What it sends to others has arrived. */
  readonly isIdle: () => boolean;
  /** Takes over what the journals of these keys hold, which were released. */
  readonly takeOver: (keys: ReadonlySet<string>) => Promise<void>;
  /** Ends all that stands around the engine; the journal is released, or closed for good. */
  readonly close: (how: "release" | "close") => Promise<void>;
}

/** What requests come through. */
export interface Door {
  /** No request is open. */
  isIdle(): boolean;
  close(): void;
}

/** One from before a reload. */
export interface Former {
  readonly generation: Generation;
  readonly door: Door;
}

export interface Generations {
  readonly engine: EngineTable;
  /** The newest first. */
  readonly journals: () => readonly OwnJournal[];
  readonly usage: () => Usage;
  /** Looks after those from before, from now on. */
  watch(): void;
  /** Gives all of them to a newer load of this package, which has `door` for the newest; waits for one that is being taken over. */
  release(door: Door): Promise<Released>;
  /** Closes what came in by doors of former ones. */
  closeDoors(): void;
  /** When the engines have stopped. */
  close(): Promise<void>;
}

export interface Released {
  readonly formers: readonly Former[];
  /** Of those that are closed already. */
  readonly usage: Usage;
}

interface State {
  readonly clock: Clock;
  readonly log: Log;
  readonly engine: EngineTable;
  readonly newest: Generation;
  formers: readonly Former[];
  /** Of those that are closed. */
  spent: Usage;
  moving: Promise<void> | undefined;
  quietUntil: number;
}

export function startGenerations(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  newest: Generation,
  before: Released,
): Generations {
  const { formers, usage: spent } = before;
  const older = formers.map(({ generation }) => generation.engine);
  const engine = createEngineTable(newest.engine, older);
  const state: State = { clock, log, engine, newest, formers, spent, moving: undefined, quietUntil: 0 };
  const all = (): readonly Generation[] => [newest, ...state.formers.map(({ generation }) => generation)];
  let looks: Timer | undefined;
  const stop = (): void => looks?.stop();
  return {
    engine,
    journals: () => all().map(({ journal }) => journal),
    usage: () => all().reduce((sum, { usage }) => addUsage(sum, usage()), state.spent),
    watch() {
      if (formers.length > 0) looks ??= clock.every(LOOK_MS, () => look(state, stop));
    },
    async release(door) {
      stop();
      await state.moving;
      return { formers: [{ generation: newest, door }, ...state.formers], usage: state.spent };
    },
    closeDoors() {
      for (const { door } of state.formers) door.close();
    },
    async close() {
      stop();
      await state.moving;
      for (const generation of all()) await generation.close("close");
    },
  };
}

/** One at a time, the oldest first. */
function look(state: State, stop: () => void): void {
  if (state.moving !== undefined || state.clock.monotonic() < state.quietUntil) return;
  const former = state.formers.findLast(({ generation, door }) => {
    return door.isIdle() && generation.engine.isQuiet() && generation.isIdle();
  });
  if (former === undefined) return;
  state.moving = retire(state, former)
    .catch((error: unknown) => {
      state.log.fault("taking over the tasks from before a reload", error);
      state.quietUntil = state.clock.monotonic() + PAUSE_MS;
    })
    .finally(() => {
      state.moving = undefined;
      if (state.formers.length === 0) stop();
    });
}

async function retire(state: State, former: Former): Promise<void> {
  const { engine, newest } = state;
  const { generation, door } = former;
  await engine.retire(generation.engine, async () => {
    await generation.engine.stop("its tasks go on in another part of this session");
    const keys = generation.journal.keys();
    await generation.close("release");
    await newest.takeOver(keys);
  });
  door.close();
  state.formers = state.formers.filter((other) => other !== former);
  state.spent = addUsage(state.spent, generation.usage());
}
