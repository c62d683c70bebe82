import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { callerLabel, decodeIdentity, encodeIdentity } from "../../../../src/core/security/identity.ts";

describe("the name a caller gives itself", () => {
  it("travels as it is when it is printable ASCII", () => {
    assert.equal(encodeIdentity("pi-kimchi @ box 2"), "pi-kimchi @ box 2");
  });

  it("travels percent-encoded otherwise, and comes back", () => {
    assert.equal(encodeIdentity("Größe 100%"), "Gr%C3%B6%C3%9Fe 100%25");
    for (const name of ["Größe 100%", "日本語", "a%41", "🤖 pi"])
      assert.equal(decodeIdentity(encodeIdentity(name)), name);
  });

  it("has at most 64 letters, however they are encoded", () => {
    assert.equal(decodeIdentity(encodeIdentity("🤖".repeat(100))), "🤖".repeat(64));
    assert.equal([...(decodeIdentity("x".repeat(5000)) ?? "")].length, 64);
  });

  it("is one safe line, whatever was sent", () => {
    assert.equal(decodeIdentity("a%1b%5b2J%0d%0ab"), "a b");
    assert.equal(decodeIdentity("%E2%80%AEevil"), "evil");
    assert.equal(decodeIdentity("100%"), "100%");
    assert.equal(decodeIdentity(" %20 "), undefined);
    assert.equal(decodeIdentity(undefined), undefined);
  });

  it("is always a header that can be sent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (name) => {
        assert.match(encodeIdentity(name), /^[ -~]*$/);
      }),
    );
  });
});

describe("how a caller is shown", () => {
  it("is by its proven name, with the other one marked", () => {
    assert.equal(callerLabel({ key: "peer:alice", name: "alice", asserted: "bob" }), "alice (calls itself bob)");
    assert.equal(callerLabel({ key: "peer:alice", name: "alice", asserted: "alice" }), "alice");
    assert.equal(callerLabel({ key: "peer:alice", name: "alice" }), "alice");
  });

  it("is by the name it gives itself when nothing is proven, and says so", () => {
    const caller = { key: "shared", name: "ip:10.0.0.1", asserted: "bob" };
    assert.equal(callerLabel(caller), "bob (unproven, ip:10.0.0.1)");
  });

  it("keeps the mark in sight behind a long name", () => {
    const label = callerLabel({ key: "local", name: "ip:127.0.0.1", asserted: "x".repeat(64) });
    assert.match(label.slice(0, 40), /\(unproven/);
  });
});
