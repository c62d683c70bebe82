import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { createSiblingGate } from "../../../../src/inbound/admission/sibling-gate.ts";
import { siblingHeaders } from "../../../../src/inbound/siblings/sibling-head.ts";

const SECRET = "a-secret-of-this-server";
const CALLER = { key: "peer:alice", name: "Alíce ✓", asserted: "al" };

type Head = Pick<IncomingMessage, "headers" | "socket">;

function headFrom(remoteAddress: string | undefined, localAddress = "127.0.0.1", secret = SECRET): Head {
  const socket = { remoteAddress, localAddress } as IncomingMessage["socket"];
  return { headers: siblingHeaders(secret, CALLER), socket };
}

describe("the gate for other sessions of the same user", () => {
  const gate = createSiblingGate(() => ["an older one", SECRET]);

  it("gives the caller as the other session named it", () => {
    assert.deepEqual(gate(headFrom("127.0.0.1"), false), { principal: CALLER });
  });

  it("is none of the business of requests without a secret", () => {
    assert.equal(gate({ headers: {}, socket: headFrom("10.0.0.9").socket }, false), undefined);
  });

  const HERE: readonly (readonly [string, string])[] = [
    ["127.0.0.1", "127.0.0.1"],
    ["127.3.2.1", "127.0.0.1"],
    ["::1", "::1"],
    ["::ffff:127.0.0.1", "::ffff:127.0.0.1"],
    ["192.168.1.5", "192.168.1.5"],
    ["::ffff:192.168.1.5", "192.168.1.5"],
    ["fd00::5", "FD00:0::5"],
  ];
  for (const [remote, local] of HERE) {
    it(`takes the secret from ${remote} at ${local}`, () => {
      assert.ok("principal" in (gate(headFrom(remote, local), false) ?? {}));
    });
  }

  const ELSEWHERE: readonly (readonly [string | undefined, string])[] = [
    ["192.168.1.9", "192.168.1.5"],
    ["8.8.8.8", "192.168.1.5"],
    ["::ffff:192.168.1.9", "::ffff:192.168.1.5"],
    ["fd00::6", "fd00::5"],
    [undefined, "127.0.0.1"],
    ["not an address", "not an address"],
  ];
  for (const [remote, local] of ELSEWHERE) {
    it(`refuses the right secret from ${remote} at ${local}`, () => {
      assert.ok("refusal" in (gate(headFrom(remote, local), false) ?? {}));
    });
  }

  it("refuses what was passed on, and every other secret, in the same words", () => {
    const words = [
      gate(headFrom("127.0.0.1"), true),
      gate(headFrom("127.0.0.1", "127.0.0.1", "wrong"), false),
      gate(headFrom("127.0.0.1", "127.0.0.1", ""), false),
      createSiblingGate(() => [])(headFrom("127.0.0.1"), false),
      createSiblingGate(() => [""])(headFrom("127.0.0.1", "127.0.0.1", ""), false),
    ].map((entry) => (entry !== undefined && "refusal" in entry ? entry.refusal.error.message : "admitted"));
    assert.equal(new Set(words).size, 1);
    assert.doesNotMatch(words.join(), /admitted|secret-of/);
  });
});
