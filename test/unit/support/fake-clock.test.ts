import assert from "node:assert/strict";
import { createCountIds } from "../../support/count-ids.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

describe("the fake clock", () => {
  it("fires timers in order of time, then of setting, at their own time", () => {
    const clock = createFakeClock(1000);
    const fired: string[] = [];
    const note = (name: string) => (): void => void fired.push(`${name}@${clock.now()}`);
    clock.after(20, note("late"));
    clock.after(10, note("first"));
    clock.after(10, note("second"));
    clock.tick(9);
    assert.deepEqual(fired, []);
    clock.tick(11);
    assert.deepEqual(fired, ["first@1010", "second@1010", "late@1020"]);
    assert.deepEqual([clock.now(), clock.monotonic(), clock.pending()], [1020, 20, 0]);
  });

  it("fires timers that are set by a timer when they fall into the same tick", () => {
    const clock = createFakeClock();
    const fired: number[] = [];
    clock.after(10, () => {
      fired.push(clock.monotonic());
      clock.after(5, () => fired.push(clock.monotonic()));
      clock.after(50, () => fired.push(clock.monotonic()));
    });
    clock.tick(20);
    assert.deepEqual(fired, [10, 15]);
    assert.equal(clock.pending(), 1);
  });

  it("repeats until it is stopped, also from inside", () => {
    const clock = createFakeClock();
    let count = 0;
    const timer = clock.every(10, () => {
      count += 1;
      if (count === 3) timer.stop();
    });
    clock.tick(100);
    assert.deepEqual([count, clock.pending()], [3, 0]);
  });

  it("forgets stopped timers", () => {
    const clock = createFakeClock();
    const timer = clock.after(1, () => assert.fail("was stopped"));
    timer.stop();
    timer.stop();
    clock.tick(10);
    assert.equal(clock.pending(), 0);
  });

  it("runs deferred callbacks only in flush, in order, also those deferred meanwhile", () => {
    const clock = createFakeClock();
    const ran: number[] = [];
    clock.defer(() => {
      ran.push(1);
      clock.defer(() => ran.push(3));
    });
    clock.defer(() => ran.push(2));
    clock.defer(() => ran.push(9)).stop();
    clock.tick(1000);
    assert.deepEqual([ran, clock.pending()], [[], 2]);
    clock.flush();
    assert.deepEqual([ran, clock.pending()], [[1, 2, 3], 0]);
  });
});

describe("counting ids", () => {
  it("look like the random ones and count by kind", () => {
    const ids = createCountIds();
    assert.deepEqual(
      [ids.task(), ids.context(), ids.message(), ids.token(), ids.task()],
      [
        "task-0000000000000001",
        "ctx-0000000000000001",
        "00000000-0000-4000-8000-000000000001",
        "0000000000000001",
        "task-0000000000000002",
      ],
    );
  });
});
