import assert from "node:assert/strict";
import fc from "fast-check";
import {
  canonicalAddress,
  isHostHeader,
  isLiteralHostHeader,
  wildcardFamily,
} from "../../../../src/core/security/host-header.ts";

describe("canonicalAddress", () => {
  const SPELLINGS: readonly (readonly [string, string | undefined])[] = [
    ["127.0.0.1", "127.0.0.1"],
    ["::ffff:127.0.0.1", "127.0.0.1"],
    ["::FFFF:7f00:1", "127.0.0.1"],
    ["0:0:0:0:0:ffff:a00:1", "10.0.0.1"],
    ["[::1]", "::1"],
    ["0:0:0:0:0:0:0:1", "::1"],
    ["2001:DB8:0::1", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1%eth0"],
    ["::", "::"],
    ["127.1", undefined],
    ["localhost", undefined],
    ["", undefined],
    ["[127.0.0.1", undefined],
    ["10.0.0.1/8", undefined],
  ];
  for (const [text, address] of SPELLINGS) {
    it(`writes ${JSON.stringify(text)} as ${address} (X18)`, () => {
      assert.equal(canonicalAddress(text), address);
    });
  }

  it("changes nothing that it has written, and takes any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
        const address = canonicalAddress(text);
        if (address !== undefined) assert.equal(canonicalAddress(address), address);
      }),
    );
  });
});

describe("isHostHeader", () => {
  for (const host of ["pi", "pi.lan:9910", "my_box", "10.0.0.1", "[::1]:1", "[fe80::1]", "a-b.example.com:65535"]) {
    it(`takes ${host}`, () => assert.ok(isHostHeader(host)));
  }
  const WRONG = [
    "",
    "a b",
    "a@b",
    "http://a",
    "a/b",
    "[::1",
    "::1",
    "a:65536",
    "a:",
    "[a]",
    "a\\b",
    "ä",
    "a".repeat(300),
  ];
  for (const host of [undefined, ...WRONG]) {
    it(`refuses ${JSON.stringify(host)?.slice(0, 20)}`, () => assert.ok(!isHostHeader(host)));
  }
});

describe("isLiteralHostHeader", () => {
  it("takes addresses and localhost, and no name that somebody could make point here (X04)", () => {
    for (const host of ["127.0.0.1:1", "192.168.1.5", "[::1]:9910", "localhost", "LOCALHOST:1"]) {
      assert.ok(isLiteralHostHeader(host), host);
    }
    for (const host of ["pi.lan", "evil.example:9910", "127.0.0.1.nip.io", "localhost.evil", "", "1"]) {
      assert.ok(!isLiteralHostHeader(host), host);
    }
  });
});

describe("wildcardFamily", () => {
  it("knows every spelling of every address", () => {
    const families = ["0.0.0.0", "0.0.0.0:80", "0", "::", "[::]", "[::]:80", "0:0:0:0:0:0:0:0", "::ffff:0.0.0.0"].map(
      wildcardFamily,
    );
    assert.deepEqual(families, [4, 4, 4, 6, 6, 6, 6, 4]);
    assert.deepEqual(["127.0.0.1", "::1", "localhost", "", "00"].map(wildcardFamily), Array(5).fill(undefined));
  });
});
