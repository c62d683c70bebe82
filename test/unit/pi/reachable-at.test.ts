import assert from "node:assert/strict";
import { reachableAt } from "../../../src/pi/reachable-at.ts";

const ADDRESSES = ["127.0.0.1", "::1", "fe80::1", "169.254.3.4", "2001:db8::5", "192.168.1.5"];

function at(host: string, addresses: readonly string[] = ADDRESSES, publicUrl = ""): string {
  return reachableAt({ host, port: 9910 }, { publicUrl, addresses: () => addresses });
}

describe("reachableAt", () => {
  it("is the address that is listened on, IPv6 in brackets", () => {
    assert.equal(at("127.0.0.1"), "http://127.0.0.1:9910/");
    assert.equal(at("::1"), "http://[::1]:9910/");
    assert.equal(at("192.168.1.7"), "http://192.168.1.7:9910/");
    assert.equal(at("pi.lan"), "http://pi.lan:9910/");
  });

  it("is one address of the machine for a listener on all of them (C02)", () => {
    assert.equal(at("0.0.0.0"), "http://192.168.1.5:9910/");
    assert.equal(at("::"), "http://192.168.1.5:9910/");
    assert.equal(at("::", ["::1", "fe80::1", "2001:db8::5"]), "http://[2001:db8::5]:9910/");
    assert.equal(at("0.0.0.0", ["127.0.0.1", "2001:db8::5"]), "http://127.0.0.1:9910/");
    assert.equal(at("::", []), "http://[::1]:9910/");
  });

  it("is the public URL wherever there is one (C03)", () => {
    for (const host of ["127.0.0.1", "0.0.0.0"]) {
      assert.equal(at(host, ADDRESSES, "https://agent.example.com"), "https://agent.example.com/");
      assert.equal(at(host, ADDRESSES, "https://example.com/agents/pi"), "https://example.com/agents/pi");
    }
  });

  it("asks the system by itself", () => {
    assert.match(reachableAt({ host: "0.0.0.0", port: 1 }, { publicUrl: "" }), /^http:\/\/[\d.]+:1\/$/);
  });
});
