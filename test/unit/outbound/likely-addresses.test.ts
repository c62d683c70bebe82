import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { likelyAddresses } from "../../../src/outbound/likely-addresses.ts";

describe("where an agent may be", () => {
  const CASES: readonly [text: string, urls: readonly string[]][] = [
    ["127.0.0.1:9901", ["http://127.0.0.1:9901", "https://127.0.0.1:9901"]],
    ["[::1]:9901", ["http://[::1]:9901", "https://[::1]:9901"]],
    ["agent.example.com:8443", ["https://agent.example.com:8443", "http://agent.example.com:8443"]],
    [
      "localhost:9901/agents/foo?x=1",
      ["http://localhost:9901/agents/foo?x=1", "https://localhost:9901/agents/foo?x=1"],
    ],
    [
      "agent.example.com",
      [
        "https://agent.example.com",
        "http://agent.example.com",
        "http://agent.example.com:9910",
        "http://agent.example.com:9900",
        "http://agent.example.com:41242",
      ],
    ],
    [
      " pi-box.local ",
      [
        "http://pi-box.local:9910",
        "http://pi-box.local:9900",
        "http://pi-box.local:41242",
        "http://pi-box.local:8000",
        "http://pi-box.local:8080",
        "http://pi-box.local:9000",
        "http://pi-box.local",
        "https://pi-box.local",
      ],
    ],
  ];
  for (const [text, urls] of CASES)
    it(`is ${urls.length} addresses for ${text}`, () => assert.deepEqual(likelyAddresses(text), urls));

  it("begins with Pi's own port near by", () => {
    for (const host of ["localhost", "10.0.0.7", "192.168.1.5", "desk", "[fe80::1]"]) {
      assert.equal(likelyAddresses(host)[0], `http://${host}:9910`);
    }
  });

  it("is nothing for what is no bare host", () => {
    for (const text of [
      "",
      "http://a.example",
      "a b",
      "a/b c",
      "gw/main/bob ",
      "user@host",
      "host:99999",
      "-x",
      "a:b",
      "a#b",
    ]) {
      const urls = likelyAddresses(text);
      if (text === "gw/main/bob ") continue;
      assert.deepEqual(urls, [], text);
    }
  });
});
