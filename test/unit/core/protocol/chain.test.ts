import assert from "node:assert/strict";
import fc from "fast-check";
import { arrivedChain, chainMetadata, passedOn } from "../../../../src/core/protocol/chain.ts";
import { OWN_EXTENSION } from "../../../../src/core/protocol/extension-uris.ts";
import type { Json } from "../../../../src/core/protocol/types.ts";
import { userMessage } from "../../../support/builders.ts";

const TRACE = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` };
const RULES = { sessionId: "me", maxHops: 4 };

function arrived(chain: Json | undefined, rules = RULES) {
  const metadata = chain === undefined ? {} : { metadata: { [OWN_EXTENSION]: { chain } } };
  return arrivedChain(userMessage(metadata), TRACE, rules);
}

describe("a chain of sessions", () => {
  it("begins empty, with all hops left", () => {
    assert.deepEqual(arrived(undefined), { chain: { ...TRACE, sessions: [], hopsLeft: 4 } });
  });

  it("grows by this session and shrinks by a hop with each call", () => {
    assert.deepEqual(passedOn(undefined, RULES), { sessions: ["me"], hopsLeft: 3 });
    const chain = { ...TRACE, sessions: ["a", "b"], hopsLeft: 2 };
    assert.deepEqual(passedOn(chain, RULES), { sessions: ["a", "b", "me"], hopsLeft: 1 });
  });

  it("ends for the caller when no hop is left", () => {
    assert.equal(passedOn({ ...TRACE, sessions: ["a"], hopsLeft: 0 }, RULES), undefined);
  });

  it("passes as many sessions as its limit says, and the next one refuses it", () => {
    let metadata = {};
    for (let hop = 0; hop <= 4; hop++) {
      const rules = { sessionId: `s${hop}`, maxHops: 4 };
      const { chain, refused } = arrivedChain(userMessage({ metadata }), TRACE, rules);
      assert.equal(refused, undefined, `hop ${hop}`);
      const links = passedOn(chain, rules);
      if (hop === 4) assert.equal(links, undefined);
      metadata = chainMetadata(links ?? { sessions: [...chain.sessions, "s4"], hopsLeft: chain.hopsLeft - 1 });
    }
    assert.match(
      arrivedChain(userMessage({ metadata }), TRACE, { sessionId: "s5", maxHops: 4 }).refused ?? "",
      /passed on 5 times.*maxHops/,
    );
  });

  it("that comes back to a session is refused there, with what to do", () => {
    assert.match(arrived({ sessions: ["a", "me", "b"], hopsLeft: 9 }).refused ?? "", /in a circle.*Finish it/);
  });

  it("keeps to the smaller of the caller's number and its own", () => {
    assert.equal(arrived({ sessions: ["a"], hopsLeft: 1 }).chain.hopsLeft, 1);
    assert.equal(arrived({ sessions: ["a"], hopsLeft: 1_000_000 }).chain.hopsLeft, 3);
    assert.equal(passedOn({ ...TRACE, sessions: ["a"], hopsLeft: 50 }, RULES)?.hopsLeft, 3);
  });

  it("is refused when the caller says that no hop was left for it", () => {
    assert.match(arrived({ sessions: ["a"], hopsLeft: -1 }).refused ?? "", /limit is used up/);
  });

  it("is too long however long it is", () => {
    const sessions = Array.from({ length: 100_000 }, (_, n) => `s${n}`);
    const { chain, refused } = arrived({ sessions }, { sessionId: "me", maxHops: 64 });
    assert.match(refused ?? "", /limit is used up/);
    assert.ok(chain.sessions.length < 100);
  });

  const garbage: Json[] = [
    ...[null, 7, "me", [], ["me"], { sessions: "me" }, { sessions: { 0: "me" } }],
    { sessions: [null, 7, {}, ["me"], "", "x".repeat(65), "a b", "ä"], hopsLeft: "0" },
    { sessions: [], hopsLeft: 0.5 },
    { sessions: [], hopsLeft: null },
  ];
  for (const chain of garbage) {
    it(`is none when it is ${JSON.stringify(chain).slice(0, 60)}`, () => {
      assert.deepEqual(arrived(chain), { chain: { ...TRACE, sessions: [], hopsLeft: 4 } });
    });
  }

  it("of any shape never gives more than the limit, nor a bad id", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (sessions, hopsLeft) => {
        const { chain } = arrived(JSON.parse(JSON.stringify({ sessions, hopsLeft })));
        assert.ok(chain.hopsLeft >= 0 && chain.hopsLeft <= 4);
        for (const id of chain.sessions) assert.match(id, /^[A-Za-z0-9_-]{1,64}$/);
      }),
    );
  });
});
