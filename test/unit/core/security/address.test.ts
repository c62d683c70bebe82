import assert from "node:assert/strict";
import * as fc from "fast-check";
import {
  type AddressClass,
  classifyAddress,
  classifyHost,
  type HostClass,
  isLoopbackHostHeader,
  originIsOwn,
} from "../../../../src/core/security/address.ts";

const ADDRESSES: Readonly<Record<AddressClass, readonly string[]>> = {
  loopback: ["127.0.0.1", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::ffff:7f00:1"],
  "link-local": ["169.254.169.254", "fe80::1", "fe80::1%eth0", "febf::1", "::ffff:169.254.1.1"],
  private: [
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "100.64.0.1",
    "0.0.0.0",
    "::",
    "255.255.255.255",
    "224.0.0.251",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "fec0::1",
    "::ffff:10.0.0.1",
    "64:ff9b::10.0.0.1",
    "2002:0a00:0001::1",
  ],
  public: [
    "8.8.8.8",
    "172.15.255.255",
    "172.32.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "203.0.113.5",
    "223.255.255.255",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2002:0808:0808::1",
  ],
};

const HOSTS: readonly (readonly [string, HostClass])[] = [
  ["localhost", "loopback"],
  ["LocalHost.", "loopback"],
  ["127.0.0.1", "loopback"],
  ["127.0.0.1.", "loopback"],
  ["127.1", "loopback"],
  ["0177.0.0.1", "loopback"],
  ["0x7f.1", "loopback"],
  ["2130706433", "loopback"],
  ["１２７.0.0.1", "loopback"],
  ["[::1]", "loopback"],
  ["::1", "loopback"],
  ["[::ffff:127.0.0.1]", "loopback"],
  ["[fe80::1%25eth0]", "link-local"],
  ["0xa9fea9fe", "link-local"],
  ["0300.0250.0.1", "private"],
  ["0", "private"],
  ["[fd00::1]", "private"],
  ["1.1.1.1", "public"],
  ["[2606:4700::1111]", "public"],
  ["example.com", "name"],
  ["localhost.example.com", "name"],
  ["127.0.0.1.example.com", "name"],
  ["127.0.0.1:80", "name"],
  ["127.0.0.1/x", "name"],
  ["x@127.0.0.1", "name"],
  ["256.1.1.1", "name"],
  ["", "name"],
];

describe("address classes", () => {
  for (const [wanted, addresses] of Object.entries(ADDRESSES)) {
    for (const address of addresses) {
      it(`puts ${address} with ${wanted}`, () => assert.equal(classifyAddress(address), wanted));
    }
  }

  it("counts what is no address as private", () => {
    for (const text of ["", "localhost", "127.1", "[::1]", "1.2.3.4.5"]) assert.equal(classifyAddress(text), "private");
  });

  for (const [host, wanted] of HOSTS) {
    it(`puts the host "${host}" with ${wanted}`, () => assert.equal(classifyHost(host), wanted));
  }

  it("puts an IPv4 address and its mapped spelling in one class", () =>
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        assert.equal(classifyAddress(`::ffff:${address}`), classifyAddress(address));
        assert.equal(classifyHost(`[::ffff:${address}]`), classifyAddress(address));
      }),
    ));

  it("gives some class to any text", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (host) =>
        assert.match(classifyHost(host), /^(loopback|private|link-local|public|name)$/),
      ),
    ));
});

describe("Host gate", () => {
  for (const value of [
    "localhost",
    "LOCALHOST:9910",
    "localhost.:9910",
    "127.0.0.1",
    "127.0.0.1:9910",
    "127.8.9.10:1",
    "[::1]",
    "[::1]:9910",
    "[0:0:0:0:0:0:0:1]:9910",
  ]) {
    it(`takes "${value}" (X04)`, () => assert.equal(isLoopbackHostHeader(value), true));
  }

  for (const value of [
    undefined,
    "",
    ":9910",
    "evil.example:9910",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "127.0.0.1.nip.io:9910",
    "0.0.0.0:9910",
    "[::]:9910",
    "10.0.0.1:9910",
    "127.0.0.256",
    "::1",
    "[::1",
    "[localhost]",
    "[127.0.0.1]",
    "localhost:",
    "localhost:99999",
    "localhost:80:80",
    "user@localhost",
    "localhost/",
    "localhost evil.example",
    "localhost..",
  ]) {
    it(`refuses "${value}" (X04)`, () => assert.equal(isLoopbackHostHeader(value), false));
  }

  it("refuses every domain name", () =>
    fc.assert(fc.property(fc.domain(), (name) => assert.equal(isLoopbackHostHeader(`${name}:9910`), false))));
});

describe("Origin gate", () => {
  const own = ["http://127.0.0.1:9910", "http://[::1]:9910", "https://pi.example"];

  for (const origin of [
    "http://127.0.0.1:9910",
    "HTTP://127.0.0.1:9910",
    "http://[::1]:9910",
    "https://pi.example:443",
  ]) {
    it(`takes "${origin}"`, () => assert.equal(originIsOwn(origin, own), true));
  }

  for (const origin of [
    "null",
    "",
    "https://evil.example",
    "http://127.0.0.1",
    "http://127.0.0.1:9911",
    "https://127.0.0.1:9910",
    "http://localhost:9910",
    "http://pi.example",
    "http://127.0.0.1:9910/x",
    "http://127.0.0.1:9910@evil.example",
    "http://x@127.0.0.1:9910",
    "127.0.0.1:9910",
  ]) {
    it(`refuses "${origin}" (X04)`, () => assert.equal(originIsOwn(origin, own), false));
  }

  it("takes no opaque origin, also when an own one is opaque", () => {
    assert.equal(originIsOwn("null", ["file:///x", "null"]), false);
    assert.equal(originIsOwn("file:///x", ["file:///x"]), false);
  });
});
