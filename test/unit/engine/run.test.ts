import assert from "node:assert/strict";
import type { StopSignal } from "../../../src/core/platform/stop-signal.ts";
import type { RunOutcome, RunOutput, TaskRunner } from "../../../src/core/ports.ts";
import { type RunResult, startRun } from "../../../src/engine/run.ts";
import { CONTEXT_ID, TASK_ID, userMessage } from "../../support/builders.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

/** A run whose runner does what the test says. */
function rig(run?: TaskRunner["run"]) {
  const clock = createFakeClock();
  const seen: string[] = [];
  const results: RunResult[] = [];
  let signal: StopSignal | undefined;
  let emit: (output: RunOutput) => void = () => undefined;
  let settle: (outcome: RunOutcome) => void = () => undefined;
  const driven: TaskRunner["run"] = (_request, emitted) => {
    emit = emitted;
    return new Promise((resolve) => {
      settle = resolve;
    });
  };
  const handle = startRun(
    clock,
    { run: run ?? driven },
    {
      request(given) {
        signal = given;
        seen.push("begun");
        const caller = { key: "local", name: "local" };
        const place = { taskId: TASK_ID, contextId: CONTEXT_ID };
        return { ...place, caller, message: userMessage(), history: [], resumes: false, signal: given };
      },
      output: (output) => void seen.push(output.kind),
      ended(result) {
        results.push(result);
        seen.push(result.kind === "returned" ? result.outcome.kind : "threw");
      },
      overdue: () => void seen.push("overdue"),
      abandoned: () => void seen.push("abandoned"),
      late: (what) => void seen.push(`late ${what}`),
    },
  );
  const turn = async (): Promise<void> => {
    clock.flush();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const aborted = (): boolean => signal?.aborted === true;
  const say = { emit: (output: RunOutput) => emit(output), settle: (outcome: RunOutcome) => settle(outcome) };
  return { clock, seen, results, handle, turn, aborted, ...say };
}

describe("run", () => {
  it("begins on a later turn", async () => {
    const { seen, turn } = rig();
    assert.deepEqual(seen, []);
    await turn();
    assert.deepEqual(seen, ["begun"]);
  });

  it("passes outputs on and ends once", async () => {
    const { seen, turn, emit, settle, handle, clock } = rig();
    await turn();
    emit({ kind: "working" });
    settle({ kind: "completed" });
    await handle.over;
    assert.deepEqual(seen, ["begun", "working", "completed"]);
    assert.equal(clock.pending(), 0);
  });

  it("takes a throw, a rejection and a return of no outcome as a fault of the run (S12)", async () => {
    const fault = new Error("boom");
    const throws = rig(() => {
      throw fault;
    });
    await throws.turn();
    assert.deepEqual(throws.results, [{ kind: "threw", error: fault }]);
    const rejects = rig(() => Promise.reject(fault));
    await rejects.turn();
    assert.deepEqual(rejects.results, [{ kind: "threw", error: fault }]);
    const returnsNothing = rig(() => Promise.resolve(null as unknown as RunOutcome));
    await returnsNothing.turn();
    assert.equal(returnsNothing.results.at(-1)?.kind, "threw");
  });

  it("never begins when it is aborted before its turn", async () => {
    const { seen, turn, handle, clock } = rig();
    handle.abort(2000, 10_000);
    await turn();
    assert.deepEqual(seen, ["canceled"]);
    assert.equal(clock.pending(), 0);
  });

  it("waits for a runner that obeys its signal, and leaves no timer", async () => {
    const { seen, turn, aborted, handle, settle, clock } = rig();
    await turn();
    handle.abort(2000, 10_000);
    assert.ok(aborted());
    clock.tick(1999);
    settle({ kind: "canceled" });
    await handle.over;
    assert.deepEqual(seen, ["begun", "canceled"]);
    assert.equal(clock.pending(), 0);
  });

  it("is overdue after the settle grace, abandoned after the deaf grace, and late after that", async () => {
    const { seen, turn, handle, emit, settle, clock } = rig();
    await turn();
    handle.abort(2000, 10_000);
    clock.tick(2000);
    assert.deepEqual(seen.splice(0), ["begun", "overdue"]);
    clock.tick(9999);
    assert.deepEqual(seen, []);
    clock.tick(1);
    await handle.over;
    emit({ kind: "working" });
    settle({ kind: "completed" });
    await turn();
    assert.deepEqual(seen, ["abandoned", "late working", "late completed"]);
    assert.equal(clock.pending(), 0);
  });

  it("aborts once, so a second abort does not prolong the graces", async () => {
    const { seen, turn, handle, clock } = rig();
    await turn();
    handle.abort(2000, 10_000);
    clock.tick(1000);
    handle.abort(2000, 10_000);
    clock.tick(1000);
    assert.deepEqual(seen, ["begun", "overdue"]);
    clock.tick(2000);
    assert.deepEqual(seen, ["begun", "overdue"]);
  });

  it("can be abandoned at once, also before its turn", async () => {
    const begun = rig();
    await begun.turn();
    begun.handle.abandon();
    begun.handle.abandon();
    assert.ok(begun.aborted());
    assert.deepEqual(begun.seen, ["begun", "abandoned"]);
    const waiting = rig();
    waiting.handle.abandon();
    await waiting.turn();
    assert.deepEqual(waiting.seen, ["abandoned"]);
  });
});
