import assert from "node:assert/strict";
import { createTurnCap } from "../../../../src/inbound/limits/turn-cap.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";

const MINUTE = 60_000;

function createRig(most = 2) {
  const clock = createFakeClock();
  const rule = { most };
  const cap = createTurnCap(clock, () => rule.most);
  const turn = (contextId = "ctx", owner = "peer:alice"): string | undefined => {
    const taken = cap.take(owner, contextId);
    return "refused" in taken ? taken.refused : undefined;
  };
  return { clock, rule, cap, turn };
}

describe("the turn cap", () => {
  it("refuses the turn after the last one, and says why, which setting, and what to do", () => {
    const { turn } = createRig();
    assert.equal(turn(), undefined);
    assert.equal(turn(), undefined);
    assert.match(
      turn() ?? "",
      /^Anti-loop protection: context ctx exceeded 2 turns within an hour\..*new context.*60 min.*maxPingpongTurns/,
    );
  });

  it("is each caller's, and each context's", () => {
    const { turn } = createRig(1);
    turn();
    assert.equal(turn("other"), undefined);
    assert.equal(turn("ctx", "peer:bob"), undefined);
    assert.notEqual(turn(), undefined);
  });

  it("forgets each turn after an hour, not all at once", () => {
    const { turn, clock } = createRig();
    turn();
    clock.tick(40 * MINUTE);
    turn();
    assert.match(turn() ?? "", /wait 20 min/);
    clock.tick(20 * MINUTE);
    assert.equal(turn(), undefined);
    assert.match(turn() ?? "", /wait 40 min/);
  });

  it("does not count what it refuses", () => {
    const { turn, clock } = createRig(1);
    turn();
    for (let nth = 0; nth < 59; nth++) {
      clock.tick(MINUTE);
      assert.notEqual(turn(), undefined);
    }
    clock.tick(MINUTE);
    assert.equal(turn(), undefined);
  });

  it("gives back a turn that came to nothing, once", () => {
    const { cap, turn } = createRig(1);
    const taken = cap.take("peer:alice", "ctx");
    assert.ok("undo" in taken);
    taken.undo();
    taken.undo();
    assert.equal(turn(), undefined);
    assert.notEqual(turn(), undefined);
  });

  it("follows its setting at once (G11)", () => {
    const { turn, rule } = createRig(3);
    turn();
    turn();
    rule.most = 2;
    assert.notEqual(turn(), undefined);
    rule.most = 3;
    assert.equal(turn(), undefined);
  });

  it("is not reset by other contexts of anybody, nor by the size of an id", () => {
    const { turn } = createRig(1);
    const long = "c".repeat(10_000);
    turn(long);
    for (let nth = 0; nth < 20_000; nth++) turn(`flood ${nth}`, "peer:bob");
    for (let nth = 0; nth < 1000; nth++) turn(`own ${nth}`);
    assert.ok((turn(long) ?? "").length < 400);
  });
});
