import assert from "node:assert/strict";
import { callerKey, networkOf } from "../../../../src/inbound/limits/caller-key.ts";

describe("the key that a caller is counted under", () => {
  it("is the principal, wherever it calls from, when it has a token of its own (X18)", () => {
    const caller = (address: string) => callerKey({ principal: { key: "peer:alice", name: "alice" }, address });
    assert.equal(caller("192.0.2.1"), caller("2001:db8::1"));
    assert.notEqual(
      caller("192.0.2.1"),
      callerKey({ principal: { key: "peer:bob", name: "bob" }, address: "192.0.2.1" }),
    );
  });

  it("is the address for those who share a principal (X18)", () => {
    for (const key of ["shared", "local"]) {
      const caller = (address: string) => callerKey({ principal: { key, name: `ip:${address}` }, address });
      assert.notEqual(caller("192.0.2.1"), caller("192.0.2.2"));
      assert.notEqual(caller("127.0.0.1"), caller("::1"));
    }
  });

  it("is not the name that a caller gives itself", () => {
    const caller = (name: string) => callerKey({ principal: { key: "shared", name }, address: "192.0.2.1" });
    assert.equal(caller("ip:192.0.2.1"), caller("somebody"));
  });

  const networks = {
    "192.0.2.7": "192.0.2.7",
    "::1": "::1",
    "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
    "2001:DB8:1:2::9": "2001:db8:1:2::/64",
    "2001:db8::1": "2001:db8:0:0::/64",
    "fe80::1%eth0": "fe80:0:0:0::/64",
    "::ffff:192.0.2.7": "0:0:0:0::/64",
    unknown: "unknown",
    "": "",
  };
  for (const [address, network] of Object.entries(networks)) {
    it(`counts ${JSON.stringify(address)} as ${network}`, () => assert.equal(networkOf(address), network));
  }
});
