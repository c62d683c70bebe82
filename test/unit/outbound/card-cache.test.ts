import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { createCardCache, freshForMs } from "../../../src/outbound/card-cache.ts";
import { agentCard } from "../../support/builders.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

describe("how long a card is believed", () => {
  const CASES: readonly [header: string | undefined, ms: number][] = [
    [undefined, 60_000],
    ["max-age=30", 30_000],
    ["public, Max-Age = 10", 10_000],
    ["max-age=999999999999", 300_000],
    ["max-age=0", 0],
    ["no-store", 0],
    ["max-age=30, no-cache", 0],
    ["immutable", 60_000],
  ];
  for (const [header, ms] of CASES) it(`${ms} ms by ${header}`, () => assert.equal(freshForMs(header), ms));

  const found = { warnings: [], card: agentCard(), cardUrl: "http://a.example/card" };

  it("keeps a card beyond its time, as no longer fresh", () => {
    const clock = createFakeClock();
    const cache = createCardCache(clock);
    cache.put("a", found, "max-age=1");
    assert.deepEqual(cache.get("a"), { found, fresh: true });
    clock.tick(1000);
    assert.deepEqual(cache.get("a"), { found, fresh: false });
    cache.forget("a");
    assert.equal(cache.get("a"), undefined);
  });

  it("keeps a bounded number, the newest", () => {
    const cache = createCardCache(createFakeClock());
    for (let n = 0; n < 150; n++) cache.put(`card ${n}`, found, undefined);
    assert.equal(cache.get("card 49"), undefined);
    assert.notEqual(cache.get("card 50"), undefined);
  });
});
