// The parts of the bench that judge: one that is wrong would print figures all the same.

import assert from "node:assert/strict";
import {
  checkCard,
  checkGotTask,
  checkList,
  checkNotModified,
  headerOf,
  sentTask,
} from "../../../scripts/bench/calls.ts";
import { median, medianDifference, medianRatio, rotated } from "../../../scripts/bench/figures.ts";
import { createCounter, createEventCounter } from "../../../scripts/bench/load-counters.ts";
import { planOf, readOptions } from "../../../scripts/bench/plan.ts";
import { isMet, type Row, reportOf } from "../../../scripts/bench/report.ts";
import { REPLY } from "../../../scripts/bench/servers/server-settings.ts";
import { tableOf } from "../../../scripts/bench/table.ts";

const answer = (body: object, status = 200) => ({ status, rawHeaders: [], body: JSON.stringify(body) });
const task = { id: "t", status: { state: "TASK_STATE_COMPLETED" }, artifacts: [{ parts: [{ text: REPLY }] }] };

describe("bench figures", () => {
  it("take the middle value, whatever the order and the number", () => {
    assert.equal(median([30, 2, 10]), 10);
    assert.equal(median([4, 1, 3, 100]), 3.5);
    assert.throws(() => median([]));
  });

  it("compare what was measured in the same round", () => {
    // The machine was twice as fast in the second round: the ratios do not care.
    assert.equal(medianRatio([10, 20, 10], [40, 80, 40]), 0.25);
    assert.equal(medianDifference([110, 250, 160], [100, 200, 150]), 10);
    assert.throws(() => medianRatio([1, 2], [1]), /cannot be paired/);
  });

  it("let each server begin once", () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((round) => rotated(["a", "b", "c"], round).join("")),
      ["abc", "bca", "cab", "abc"],
    );
  });
});

describe("bench flags", () => {
  it("default to the whole table", () => {
    assert.deepEqual(readOptions([]), { quick: false, json: false, only: "" });
    const wanted = { quick: true, json: true, only: "send", profile: "p" };
    assert.deepEqual(readOptions(["--quick", "--json", "--only", "send", "--profile", "p"]), wanted);
  });

  it("ask for help, and refuse what they do not know", () => {
    assert.equal(readOptions(["--help"]), undefined);
    assert.throws(() => readOptions(["--fast"]), /--fast/);
  });

  it("measure what the aims are about in both forms", () => {
    for (const quick of [true, false]) assert.ok(planOf({ quick }).concurrencies.includes(16));
    assert.deepEqual(planOf({ quick: false }).concurrencies, [1, 16, 64]);
  });
});

describe("bench answers", () => {
  it("are right when they hold what was asked for", () => {
    assert.equal(sentTask(answer({ result: { task } })).id, "t");
    checkGotTask(answer({ result: task }));
    checkList(answer({ result: { tasks: Array(50), totalSize: 100_000 } }), 100_000);
    checkCard(answer({ name: "bench" }));
    checkNotModified({ status: 304, rawHeaders: [], body: "" });
  });

  const wrong: readonly (readonly [string, () => unknown])[] = [
    ["an error of JSON-RPC", () => sentTask(answer({ error: { code: -32603 } }))],
    ["a refusal", () => sentTask(answer({ result: { task } }, 429))],
    ["a message in place of a task", () => sentTask(answer({ result: { message: {} } }))],
    ["a task that failed", () => checkGotTask(answer({ result: { ...task, status: { state: "TASK_STATE_FAILED" } } }))],
    ["a task without its reply", () => checkGotTask(answer({ result: { ...task, artifacts: [] } }))],
    ["a list of other tasks", () => checkList(answer({ result: { tasks: Array(50), totalSize: 99 } }), 100)],
    ["an empty page", () => checkList(answer({ result: { tasks: [], totalSize: 100 } }), 100)],
    ["another card", () => checkCard(answer({ name: "other" }))],
    ["a card that was sent again", () => checkNotModified(answer({}, 200))],
  ];
  for (const [what, check] of wrong) it(`are wrong: ${what}`, () => assert.throws(check));

  it("have their headers found by any spelling", () => {
    const headers = { status: 200, rawHeaders: ["Date", "etag", "ETag", '"1"'], body: "" };
    assert.equal(headerOf(headers, "etag"), '"1"');
    assert.equal(headerOf(headers, "vary"), undefined);
  });
});

describe("bench counters", () => {
  const load = { url: "u", requests: [], connections: 1, warmMs: 100, measureMs: 1000, status: 200, bytes: 500 };

  it("count the replies after the warm-up until the time is up", () => {
    let now = 0;
    const counter = createCounter(load, () => now);
    const takeAt = (at: number): boolean => {
      now = at;
      return counter.take(200, 500);
    };
    assert.deepEqual([10, 50, 150, 400, 650, 1149].map(takeAt), [false, false, false, false, false, false]);
    assert.equal(takeAt(1150), true);
    assert.equal(counter.wrong(), undefined);
    assert.deepEqual(counter.result(), { all: 7, counted: 3, ms: 999, bytes: 500 });
  });

  it("wait for one reply of a slow server", () => {
    let now = 0;
    const counter = createCounter(load, () => now);
    const takeAt = (at: number): boolean => {
      now = at;
      return counter.take(200, 500);
    };
    assert.deepEqual([takeAt(3000), takeAt(7000)], [false, true]);
    assert.deepEqual(counter.result(), { all: 2, counted: 1, ms: 4000, bytes: 500 });
  });

  it("count a number of requests from their beginning", () => {
    let now = 0;
    const counter = createCounter({ ...load, amount: 2 }, () => now);
    now = 20;
    assert.deepEqual([counter.take(200, 500), counter.take(200, 500)], [false, false]);
    assert.deepEqual(counter.result(), { all: 2, counted: 2, ms: 20, bytes: 500 });
  });

  for (const [what, status, bytes] of [
    ["another status", 503, 500],
    ["another size, as an error has that travels with 200", 200, 320],
  ] as const) {
    it(`stop at ${what}`, () => {
      const counter = createCounter({ ...load, amount: 5 });
      assert.equal(counter.take(200, 508), false);
      assert.equal(counter.take(status, bytes), true);
      assert.match(counter.wrong()?.message ?? "", new RegExp(`answered ${status} with ${bytes} bytes`));
    });
  }

  it("take silence for wrong", () => {
    assert.match(createCounter(load).wrong()?.message ?? "", /did not answer/);
  });

  it("count the events of a stream at every cut", () => {
    const text = Buffer.from("data: a\n\n: comment\n\ndata: b\n\n");
    for (let at = 0; at <= text.length; at++) {
      const events = createEventCounter();
      for (const chunk of [text.subarray(0, at), text.subarray(at)]) events.take(chunk);
      assert.equal(events.seen(), 3, `cut at ${at}`);
    }
  });
});

describe("bench report", () => {
  const rows: readonly Row[] = [
    {
      ...{ id: "send", title: "SendMessage", unit: "/s", concurrency: 16, ours: 20_500, limit: 50_000, sdk: 2_000 },
      ...{ ratio: 0.41, cpuRatio: 0.39, aim: { figure: "ratio", atLeast: 0.4 } },
    },
    { id: "heap", title: "Heap", unit: "B", ours: 513, aim: { figure: "ours", atMost: 512 } },
    { id: "pi", title: "Start", unit: "ms", ours: 1060, limit: 1000, added: 60, aim: { figure: "added", atMost: 60 } },
    { id: "start", title: "Journal", unit: "ms", ours: 7.25 },
  ];

  it("says of each aim whether it is met", () => {
    assert.deepEqual(rows.map(isMet), [true, false, true, undefined]);
    const incomplete: Row = { id: "x", title: "X", unit: "/s", ours: 1, aim: { figure: "ratio", atLeast: 1 } };
    assert.throws(() => isMet(incomplete), /no such figure/);
  });

  it("is a table whose columns stand below each other", () => {
    const lines = tableOf(reportOf(rows, { quick: true, seconds: 61.4 })).split("\n");
    assert.deepEqual(lines.slice(0, 5), [
      "             at once    pi-a2a     limit      sdk  of limit   cpu        aim",
      "SendMessage       16  20,500/s  50,000/s  2,000/s      0.41  0.39    >= 0.40  met",
      "Heap                     513 B                                      <= 512 B  MISSED",
      "Start                 1,060 ms  1,000 ms             +60 ms        <= +60 ms  met",
      "Journal                 7.3 ms",
    ]);
    assert.match(lines.slice(5).join("\n"), /^\n2 of 3 aims met; quick.*\nNode v.*, 61 s\./);
  });

  it("is JSON with every figure under its name", () => {
    const report = JSON.parse(JSON.stringify(reportOf(rows, { quick: false, seconds: 1 })));
    assert.deepEqual(Object.keys(report), ["quick", "node", "cpu", "cpus", "seconds", "rows"]);
    assert.deepEqual(report.rows[0], { ...rows[0], met: true });
    assert.deepEqual(report.rows[3], rows[3]);
  });
});
