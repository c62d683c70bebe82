import assert from "node:assert/strict";
import { createLog } from "../../../../src/core/platform/log.ts";
import type { PushConfig } from "../../../../src/core/protocol/types.ts";
import type { AttemptOutcome } from "../../../../src/inbound/push/push-attempt.ts";
import { createPushLanes, MAX_AT_ONCE, MAX_PER_HOST } from "../../../../src/inbound/push/push-lanes.ts";
import { MAX_ALL_BYTES, MAX_LANE_BYTES, MAX_LANE_UPDATES } from "../../../../src/inbound/push/push-queue.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";

interface Attempt {
  readonly config: PushConfig;
  readonly body: string;
  end(outcome?: AttemptOutcome): Promise<void>;
}

const FAILED: AttemptOutcome = { kind: "failed", reason: "it answered HTTP 500" };
const REFUSED: AttemptOutcome = { kind: "refused", reason: "it answered HTTP 404" };

const configOf = (n: number, host = `h${n}.example`): PushConfig => ({
  taskId: `t${n}`,
  id: "a",
  url: `https://${host}/`,
});

function createRig() {
  const clock = createFakeClock();
  const log = createLog(clock, () => "id");
  const attempts: Attempt[] = [];
  const deleted = new Set<string>();
  const changed = new Map<string, PushConfig>();
  const told: string[] = [];
  const lanes = createPushLanes({
    clock,
    log,
    onTold: ({ id }, at) => told.push(`${id} ${at}`),
    current: (config) => (deleted.has(config.taskId) ? undefined : (changed.get(config.taskId) ?? config)),
    attempt: (config, body) =>
      new Promise((resolve) => {
        const end = async (outcome: AttemptOutcome = { kind: "delivered" }): Promise<void> => {
          open.delete(attempt);
          resolve(outcome);
          await settle();
        };
        const attempt = { config, body, end };
        attempts.push(attempt);
        open.add(attempt);
      }),
  });
  const open = new Set<Attempt>();
  const settle = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    clock.flush();
  };
  const bodies = (): string[] => attempts.map(({ body }) => body);
  /** The attempt that was begun last. */
  const last = (): Attempt => {
    const attempt = attempts.at(-1);
    assert.ok(attempt !== undefined);
    return attempt;
  };
  const said = (): string[] => log.lines().map(({ text }) => text);
  return { clock, lanes, attempts, open, deleted, changed, settle, bodies, last, said, told };
}

describe("push lanes", () => {
  it("begin on a later turn than they were asked", () => {
    const { lanes, clock, attempts } = createRig();
    lanes.add([configOf(1)], "a");
    assert.equal(attempts.length, 0);
    clock.flush();
    assert.equal(attempts.length, 1);
  });

  it("do not begin when they are closed before", () => {
    const { lanes, clock } = createRig();
    lanes.add([configOf(1)], "a");
    assert.equal(lanes.close(), 1);
    assert.equal(clock.pending(), 0);
  });

  it("deliver one update after the other, each once", async () => {
    const { lanes, clock, bodies, last } = createRig();
    for (const body of ["a", "b", "c"]) lanes.add([configOf(1)], body);
    clock.flush();
    assert.deepEqual(bodies(), ["a"]);
    await last().end();
    assert.deepEqual(bodies(), ["a", "b"]);
    await last().end();
    await last().end();
    assert.deepEqual(bodies(), ["a", "b", "c"]);
    await lanes.idle();
    assert.equal(clock.pending(), 0);
  });

  it("keep the webhooks of a task, and the same id on two tasks, apart", () => {
    const { lanes, clock, bodies } = createRig();
    lanes.add([configOf(1)], "a");
    lanes.add([{ ...configOf(1), id: "b" }], "b");
    lanes.add([configOf(2)], "c");
    clock.flush();
    assert.deepEqual(bodies(), ["a", "b", "c"]);
  });

  it("try again after 1, 2 and 4 s, hold back what comes after, and then go on", async () => {
    const { lanes, clock, bodies, last, said } = createRig();
    lanes.add([configOf(1)], "a");
    lanes.add([configOf(1)], "b");
    clock.flush();
    for (const waitMs of [1000, 2000, 4000]) {
      const tries = bodies().length;
      await last().end(FAILED);
      clock.tick(waitMs - 1);
      clock.flush();
      assert.equal(bodies().length, tries);
      clock.tick(1);
      clock.flush();
    }
    assert.deepEqual(bodies(), ["a", "a", "a", "a"]);
    await last().end(FAILED);
    assert.deepEqual(bodies(), ["a", "a", "a", "a", "b"]);
    assert.deepEqual(said(), ["t1: an update for the webhook at h1.example is given up: it answered HTTP 500"]);
    await last().end(FAILED);
    clock.tick(1000);
    clock.flush();
    assert.equal(bodies().length, 6, "the next update has all its tries");
  });

  it("do not try again what was refused", async () => {
    const { lanes, clock, bodies, last } = createRig();
    lanes.add([configOf(1)], "a");
    lanes.add([configOf(1)], "b");
    clock.flush();
    await last().end(REFUSED);
    assert.deepEqual(bodies(), ["a", "b"]);
    await last().end(REFUSED);
    await lanes.idle();
    assert.equal(clock.pending(), 0);
  });

  it("run 32 attempts at once and no more, in the order in which they came", async () => {
    const { lanes, clock, attempts, open, bodies } = createRig();
    for (let n = 0; n < 100; n++) lanes.add([configOf(n)], `u${n}`);
    clock.flush();
    while (attempts.length < 100 || open.size > 0) {
      assert.ok(open.size <= MAX_AT_ONCE && (open.size === MAX_AT_ONCE || attempts.length === 100));
      await [...open][0]?.end();
    }
    assert.deepEqual(
      bodies(),
      Array.from({ length: 100 }, (_, n) => `u${n}`),
    );
    await lanes.idle();
  });

  it("leave room for other receivers when one of them hangs", async () => {
    const { lanes, clock, open, attempts } = createRig();
    for (let n = 0; n < 100; n++) lanes.add([configOf(n, "hangs.example")], "x");
    clock.flush();
    assert.equal(open.size, MAX_PER_HOST);
    lanes.add([configOf(100, "quick.example")], "y");
    clock.flush();
    assert.equal(attempts.at(-1)?.body, "y");
    await attempts.at(-1)?.end();
    for (const attempt of [...open]) await attempt.end();
    assert.equal(open.size, MAX_PER_HOST);
  });

  it("hold no slot while they wait for the next try", async () => {
    const { lanes, clock, open, attempts } = createRig();
    for (let n = 0; n < MAX_AT_ONCE + 5; n++) lanes.add([configOf(n)], "x");
    clock.flush();
    for (const attempt of [...open]) await attempt.end(FAILED);
    assert.equal(attempts.length, MAX_AT_ONCE + 5);
  });

  it("give up the oldest update that waits when there are too many, say so once, and keep the newest", async () => {
    const { lanes, clock, bodies, last, said } = createRig();
    lanes.add([configOf(1)], "first");
    clock.flush();
    for (let n = 0; n < MAX_LANE_UPDATES + 9; n++) lanes.add([configOf(1)], `u${n}`);
    assert.equal(said().length, 1);
    for (let n = 0; n < MAX_LANE_UPDATES; n++) await last().end();
    assert.equal(bodies()[1], "u10");
    assert.equal(bodies().at(-1), `u${MAX_LANE_UPDATES + 8}`);
    assert.equal(bodies().length, MAX_LANE_UPDATES);
    await lanes.idle();
  });

  it("count bytes too, and take one update whatever its size", async () => {
    const { lanes, clock, bodies, last } = createRig();
    const large = "x".repeat(MAX_LANE_BYTES);
    lanes.add([configOf(1)], `${large}1`);
    clock.flush();
    lanes.add([configOf(1)], `${large}2`);
    lanes.add([configOf(1)], `${large}3`);
    lanes.add([configOf(1)], "end");
    await last().end();
    await last().end();
    assert.deepEqual(
      bodies().map((body) => body.slice(-3)),
      ["xx1", "end"],
    );
    await lanes.idle();
  });

  it("keep a large artifact although the end of its task follows at once", async () => {
    const { lanes, clock, bodies, last } = createRig();
    lanes.add([configOf(1)], "x".repeat(MAX_LANE_BYTES - 3));
    lanes.add([configOf(1)], "end");
    clock.flush();
    await last().end();
    assert.deepEqual(
      bodies().map((body) => body.length),
      [MAX_LANE_BYTES - 3, 3],
    );
  });

  it("bound what all of them hold together, at the expense of the fullest", async () => {
    const { lanes, clock, bodies, open, said } = createRig();
    const quarter = MAX_LANE_BYTES / 4;
    const body = (end: string): string => `${"x".repeat(quarter - end.length)}${end}`;
    for (const end of ["0a", "0b"]) lanes.add([configOf(0)], body(end));
    const count = MAX_ALL_BYTES / quarter;
    for (let n = 1; n < count; n++) lanes.add([configOf(n)], body(`${n}c`));
    assert.deepEqual(said(), [
      "t0: an update for the webhook at h0.example is given up: it is too far behind, and so may be others after it",
    ]);
    clock.flush();
    while (open.size > 0) await [...open][0]?.end();
    assert.equal(bodies().length, count);
    assert.equal(bodies()[0]?.slice(-2), "0b");
  });

  it("count an update for several webhooks once", async () => {
    const { lanes, clock, open, bodies, said } = createRig();
    const configs = Array.from({ length: 10 }, (_, n) => configOf(n));
    for (let n = 0; n < 4; n++) lanes.add(configs, "x".repeat(MAX_LANE_BYTES / 4));
    assert.deepEqual(said(), []);
    clock.flush();
    while (open.size > 0) await [...open][0]?.end();
    assert.equal(bodies().length, 40);
  });

  it("deliver to the webhook as it is now, and nothing to one that was deleted", async () => {
    const { lanes, clock, attempts, deleted, changed, last } = createRig();
    lanes.add([configOf(1)], "a");
    lanes.add([configOf(1)], "b");
    lanes.add([configOf(1)], "c");
    clock.flush();
    changed.set("t1", { ...configOf(1), url: "https://new.example/" });
    await last().end();
    assert.equal(last().config.url, "https://new.example/");
    deleted.add("t1");
    await last().end();
    assert.equal(attempts.length, 2);
    await lanes.idle();
    assert.equal(clock.pending(), 0);
  });

  it("give what is left one more try when they are to hurry", async () => {
    const { lanes, clock, bodies, last, said } = createRig();
    lanes.add([configOf(1)], "a");
    lanes.add([configOf(1)], "b");
    clock.flush();
    await last().end(FAILED);
    lanes.hurry();
    clock.flush();
    assert.deepEqual(bodies(), ["a", "a"]);
    await last().end(FAILED);
    assert.deepEqual(bodies(), ["a", "a", "b"]);
    await last().end();
    await lanes.idle();
    assert.equal(said().length, 1);
    assert.equal(clock.pending(), 0);
  });

  it("do not try twice at once what is being tried when they are to hurry", async () => {
    const { lanes, clock, open, last } = createRig();
    lanes.add([configOf(1)], "a");
    clock.flush();
    await last().end(FAILED);
    clock.tick(1000);
    clock.flush();
    lanes.hurry();
    clock.flush();
    assert.equal(open.size, 1);
  });

  it("give up everything when they are closed, count it, and leave no timer", async () => {
    const { lanes, clock, attempts, last } = createRig();
    for (const body of ["a", "b"]) lanes.add([configOf(1)], body);
    lanes.add([configOf(2)], "c");
    clock.flush();
    await attempts[0]?.end(FAILED);
    assert.equal(lanes.close(), 3);
    assert.equal(clock.pending(), 0);
    await last().end();
    await lanes.quiet();
    lanes.add([configOf(3)], "d");
    clock.flush();
    assert.equal(attempts.length, 2);
    assert.equal(lanes.close(), 0);
  });

  it("tell when the last of an end was delivered or refused, and not when only the end of the server cut it short", async () => {
    const { lanes, settle, last, told } = createRig();
    lanes.add([configOf(1)], "artifact");
    lanes.add([configOf(1)], "end", 7);
    await settle();
    await last().end();
    assert.deepEqual(told, []);
    await last().end();
    assert.deepEqual(told, ["a 7"]);
    lanes.add([configOf(2)], "end", 8);
    await settle();
    await last().end({ kind: "refused", reason: "gone" });
    assert.deepEqual(told, ["a 7", "a 8"]);
    lanes.add([configOf(3)], "end", 9);
    await settle();
    lanes.hurry();
    await last().end({ kind: "failed", reason: "busy" });
    assert.deepEqual(told, ["a 7", "a 8"]);
    lanes.close();
  });
});
