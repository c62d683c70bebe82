// Owns writing lines later: they wait a moment, are made and written many at a time, and wait on while the file cannot be written.
// Bounded; a failure is told once and never thrown.

import { type Clock, nextTurn, type Timer, within } from "../../platform/clock.ts";
import { describeError } from "../../platform/errors.ts";
import type { SharedLog } from "../../platform/shared-log.ts";

/** How long a line waits for others to be written with. */
export const FLUSH_MS = 200;
/**
 * A write stands in the way of requests: making and removing the lock can take ten milliseconds on a busy disk. So the next one waits
 * for so many times as long as the last one took, though no longer than a second, and only while there is room for more lines.
 */
const PAUSES = 20;
const MOST_PAUSE_MS = 1000;
/** What could not be written waits so long for the next try. */
export const RETRY_MS = 5000;
/** Lines that wait; more are lost. */
export const MAX_WAITING = 5000;
/** More lines than these at a time are a rush, in which each has to cost little. */
export const RUSH = 500;
/** Lines that are made in one turn of the event loop. */
const PER_TURN = 50;
const PER_TURN_IN_A_RUSH = 500;
/** Lines that are written at once: opening the file under its lock costs as much as hundreds of them. */
const PER_WRITE = MAX_WAITING;
/** How long another session may hold the file: a little longer than until a lock that was left behind counts as nobody's. */
const LOCK_MS = 12_000;
/** The same while this session stops. */
const LAST_LOCK_MS = 500;

/** Makes a line with its newline; asked once. In a rush it has to be a short one. */
export type MakeLine = (rush: boolean) => string;

export interface LineWriterDeps {
  readonly clock: Clock;
  readonly log: SharedLog;
  /** Hears once, when lines cannot be written for the first time. */
  readonly warn: (problem: string) => void;
  /** The line that stands for lost ones. */
  readonly lostLine: (count: number) => string;
}

export class LineWriter {
  /** Why lines are not written now; undefined while all is well. */
  problem: string | undefined;
  private readonly deps: LineWriterDeps;
  private waiting: MakeLine[] = [];
  /** Made, but not written yet. */
  private lines: string[] = [];
  private lost = 0;
  private warned = false;
  private stopped = false;
  private flushing: Promise<void> | undefined;
  private next: Timer | undefined;
  /** Before the next write. */
  private pauseMs = FLUSH_MS;

  constructor(deps: LineWriterDeps) {
    this.deps = deps;
  }

  add(make: MakeLine): void {
    if (this.stopped) return;
    if (this.waiting.length + this.lines.length >= MAX_WAITING) {
      this.lost += 1;
      return;
    }
    this.waiting.push(make);
    if (this.waiting.length === MAX_WAITING / 2 && this.problem === undefined) this.hurry();
    this.schedule();
  }

  /** Writes what is there, and waits for others for a second at most. Nothing is added after it. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.next?.stop();
    const free = this.flushing === undefined || (await within(this.deps.clock, LAST_LOCK_MS, this.flushing));
    if (free) await this.write(LAST_LOCK_MS);
  }

  private hurry(): void {
    this.next?.stop();
    this.next = undefined;
  }

  private schedule(): void {
    if (this.flushing !== undefined || this.stopped) return;
    this.next ??= this.deps.clock.after(this.pause(), () => {
      this.next = undefined;
      this.flushing = this.write(LOCK_MS).then(() => {
        this.flushing = undefined;
        if (this.hasLines()) this.schedule();
      });
    });
  }

  private pause(): number {
    if (this.problem !== undefined) return RETRY_MS;
    return this.waiting.length < MAX_WAITING / 2 ? this.pauseMs : 0;
  }

  private async write(lockMs: number): Promise<void> {
    try {
      while (this.hasLines()) await this.writeSome(lockMs);
      this.problem = undefined;
    } catch (error) {
      this.problem = describeError(error);
      if (this.warned) return;
      this.warned = true;
      this.deps.warn(this.problem);
    }
  }

  private async writeSome(lockMs: number): Promise<void> {
    await this.makeLines();
    const { lines, lost } = this;
    const { clock, log, lostLine } = this.deps;
    this.lines = [];
    const startedAt = clock.monotonic();
    try {
      await log.append(lines.join("") + (lost === 0 ? "" : lostLine(lost)), lockMs);
      this.lost -= lost;
      const tookMs = clock.monotonic() - startedAt;
      this.pauseMs = Math.max(FLUSH_MS, Math.min(MOST_PAUSE_MS, PAUSES * tookMs));
    } catch (error) {
      this.lines = lines;
      throw error;
    }
  }

  private async makeLines(): Promise<void> {
    for (let first = true; this.waiting.length > 0 && this.lines.length < PER_WRITE; first = false) {
      if (!first) await nextTurn(this.deps.clock);
      const rush = this.waiting.length > RUSH;
      const makers = this.waiting.splice(0, rush ? PER_TURN_IN_A_RUSH : PER_TURN);
      for (const make of makers) this.lines.push(make(rush));
    }
  }

  private hasLines(): boolean {
    return this.waiting.length + this.lines.length > 0;
  }
}
