// Owns one run of a runner: begins on a later turn than it was asked for, ends exactly once, and is given up when it stays deaf to
// its signal. What it says after that reaches nobody but `late`.

import type { Clock, Timer } from "../core/platform/clock.ts";
import { createStopper, type Stopper, type StopSignal } from "../core/platform/stop-signal.ts";
import type { RunOutcome, RunOutput, RunRequest, TaskRunner } from "../core/ports.ts";

export type RunResult =
  | { readonly kind: "returned"; readonly outcome: RunOutcome }
  | { readonly kind: "threw"; readonly error: unknown };

export interface RunHandlers {
  /** Called when the run begins; the signal is the run's. */
  request(signal: StopSignal): RunRequest;
  output(output: RunOutput): void;
  /** Once, and the runner is done by then; not called after `abandoned`. */
  ended(result: RunResult): void;
  /** The settle grace is over and the runner still runs. */
  overdue(): void;
  /** The deaf grace is over too, or the engine stops: nobody waits for this run any more. */
  abandoned(): void;
  /** Something said after the end. */
  late(what: string): void;
}

export interface Run {
  /** Aborts the signal; `overdue` follows after `settleGraceMs`, `abandoned` after `deafGraceMs` more. */
  abort(settleGraceMs: number, deafGraceMs: number): void;
  /** Stops waiting for it now. */
  abandon(): void;
  /** Resolves when the run has ended or was abandoned. */
  readonly over: Promise<void>;
}

interface RunState {
  readonly handlers: RunHandlers;
  readonly stopper: Stopper;
  phase: "starting" | "running" | "over";
  /** The deferred start, then the graces. */
  timer: Timer | undefined;
  tell(): void;
}

export function startRun(clock: Clock, runner: TaskRunner, handlers: RunHandlers): Run {
  const state: RunState = {
    handlers,
    stopper: createStopper(),
    phase: "starting",
    timer: undefined,
    tell: () => undefined,
  };
  const over = new Promise<void>((resolve) => {
    state.tell = resolve;
  });
  state.timer = clock.defer(() => void begin(state, runner));
  return {
    over,
    abort: (settleGraceMs, deafGraceMs) => abort(state, clock, settleGraceMs, deafGraceMs),
    abandon: () => abandon(state),
  };
}

/** Never rejects: what the runner throws is a result. */
async function begin(state: RunState, runner: TaskRunner): Promise<void> {
  const { handlers, stopper } = state;
  state.phase = "running";
  const emit = (output: RunOutput): void => {
    if (state.phase === "over") handlers.late(output.kind);
    else handlers.output(output);
  };
  try {
    const outcome = await runner.run(handlers.request(stopper.signal), emit);
    end(state, { kind: "returned", outcome });
  } catch (error) {
    end(state, { kind: "threw", error });
  }
}

function end(state: RunState, result: RunResult): void {
  if (state.phase === "over") {
    state.handlers.late(result.kind === "returned" ? result.outcome.kind : "error");
    return;
  }
  close(state);
  try {
    state.handlers.ended(result);
  } catch (error) {
    // What the runner returned is no outcome at all: that is a fault of the run like any other.
    state.handlers.ended({ kind: "threw", error });
  }
}

function close(state: RunState): void {
  state.phase = "over";
  state.timer?.stop();
  state.tell();
}

function abort(state: RunState, clock: Clock, settleGraceMs: number, deafGraceMs: number): void {
  if (state.phase === "over" || state.stopper.signal.aborted) return;
  state.stopper.stop();
  if (state.phase === "starting") {
    end(state, { kind: "returned", outcome: { kind: "canceled" } });
    return;
  }
  state.timer = clock.after(settleGraceMs, () => {
    state.timer = clock.after(deafGraceMs, () => abandon(state));
    state.handlers.overdue();
  });
}

function abandon(state: RunState): void {
  if (state.phase === "over") return;
  state.stopper.stop();
  close(state);
  state.handlers.abandoned();
}
