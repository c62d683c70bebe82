import assert from "node:assert/strict";
import * as fc from "fast-check";
import { readJsonValue, readTextValue } from "../../../../src/core/config/read-value.ts";
import { SETTINGS, type Setting } from "../../../../src/core/config/schema.ts";

function setting(key: string): Setting {
  const found = SETTINGS.find((row) => row.key === key);
  assert.ok(found, key);
  return found;
}

/** The value, or why there is none. */
function json(key: string, raw: unknown): unknown {
  const reading = readJsonValue(setting(key), raw);
  return reading.kind === "value" ? reading.value : reading.kind;
}

function text(key: string, raw: string): unknown {
  const reading = readTextValue(setting(key), raw);
  return reading.kind === "value" ? reading.value : reading.kind;
}

describe("reading hosts, callers and networks", () => {
  const ADDRESSES = ["10.0.0.1", "::1", "[::1]", "2001:db8::7", "fe80::1%eth0"];
  for (const host of [...ADDRESSES, "0.0.0.0", "::", "[::]", "localhost", "pi.lan", "my_box-1", "0"]) {
    it(`takes the host ${host}`, () => assert.equal(json("server.host", host), host));
  }
  for (const host of [
    "",
    "a b",
    "http://a",
    "a:80",
    "127.0.0.1:9910",
    "[::1]:80",
    "-a",
    "a/b",
    ":::",
    "[a]",
    1,
    null,
  ]) {
    it(`refuses the host ${JSON.stringify(host)}`, () => assert.equal(json("server.host", host), "wrong"));
  }

  it("takes names, addresses and gateways as trusted callers", () => {
    const callers = ["alice", "pi-kimchi", "a.b_c", ...ADDRESSES.map((address) => `ip:${address}`), "gateway:work"];
    assert.deepEqual(json("server.trustedPeers", callers), callers);
    assert.deepEqual(text("server.trustedPeers", callers.join(" , ")), callers);
  });
  for (const caller of [
    "",
    "ip:",
    "ip:nonsense",
    "ip:999.1.1.1",
    "ip:10.0.0.0/8",
    "gateway:",
    "a b",
    "peer:a",
    "a".repeat(65),
  ]) {
    it(`refuses the caller ${JSON.stringify(caller)}, and keeps the others`, () => {
      assert.equal(json("server.trustedPeers", [caller]), "wrong");
      assert.deepEqual(json("server.trustedPeers", [caller, "alice"]), ["alice"]);
    });
  }

  it("takes addresses and ranges of them as proxies", () => {
    const proxies = ["10.0.0.1", "10.0.0.0/8", "::1", "fd00::/8", "0.0.0.0/0"];
    assert.deepEqual(json("server.trustedProxies", proxies), proxies);
  });
  for (const proxy of [
    "proxy.lan",
    "10.0.0.0/33",
    "::/129",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10.0.0",
    "*",
    "10.0.0.1:80",
  ]) {
    it(`refuses the proxy ${proxy}`, () => assert.equal(json("server.trustedProxies", [proxy]), "wrong"));
  }
});

describe("reading a value", () => {
  for (const [word, wanted] of [
    ["1", true],
    ["true", true],
    ["TRUE", true],
    ["yes", true],
    [" On ", true],
    ["0", false],
    ["false", false],
    ["FALSE", false],
    ["no", false],
    ["off", false],
    ["", "absent"],
    ["   ", "absent"],
    ["maybe", "wrong"],
    ["2", "wrong"],
    ["truefalse", "wrong"],
  ] as const) {
    it(`reads the boolean "${word}" as ${wanted}, in the environment as in a file (G08)`, () => {
      assert.equal(text("server.enabled", word), wanted);
      assert.equal(json("server.enabled", word), wanted);
    });
  }

  for (const [written, wanted] of [
    ["0", 0],
    [" 9910 ", 9910],
    ["65535", 65_535],
    ["+80", 80],
    ["80.0", 80],
    ["abc", "wrong"],
    ["70000", "wrong"],
    ["-1", "wrong"],
    ["80.5", "wrong"],
    ["0x50", "wrong"],
    ["1e3", "wrong"],
    ["9 910", "wrong"],
    ["9_910", "wrong"],
    ["Infinity", "wrong"],
    ["NaN", "wrong"],
    ["", "absent"],
  ] as const) {
    it(`reads the port "${written}" as ${wanted}, in the environment as in a file (G08)`, () => {
      assert.equal(text("server.port", written), wanted);
      assert.equal(json("server.port", written), wanted);
    });
  }

  for (const [key, zero] of [
    ["server.replyTimeoutSec", 0],
    ["server.asyncTimeoutSec", 0],
    ["server.childTranscriptRetentionDays", 0],
    ["server.portFallback", 0],
    ["server.rateLimitPerMin", 0],
    ["server.taskRetentionDays", 0],
    ["server.maxPingpongTurns", "wrong"],
    ["server.maxConcurrent", "wrong"],
    ["timeouts.send", "wrong"],
  ] as const) {
    it(`takes 0 for ${key} ${zero === 0 ? "as written" : "for no limit of its own"}, never -1, and "15" as 15 (G09)`, () => {
      assert.equal(json(key, 0), zero);
      assert.equal(json(key, "0"), zero);
      assert.equal(json(key, -1), "wrong");
      assert.equal(json(key, "-1"), "wrong");
      assert.equal(json(key, "15"), 15);
    });
  }

  it("takes windows longer than a 32-bit timer unharmed (G10)", () => {
    assert.equal(json("server.asyncTimeoutSec", 2_592_000), 2_592_000);
    assert.equal(text("server.asyncTimeoutSec", "3000000"), 3_000_000);
    assert.equal(json("timeouts.send", 3_000_000_000), 3_000_000_000);
  });

  it("takes fractions of seconds, but no fraction of a millisecond", () => {
    assert.equal(json("server.replyTimeoutSec", 0.5), 0.5);
    assert.equal(json("peers.*.timeout", 1.5), 1.5);
    assert.equal(json("timeouts.send", 1.5), "wrong");
  });

  it("refuses other types and null", () => {
    for (const raw of [null, [], {}, [1], { a: 1 }]) {
      assert.equal(json("server.port", raw), "wrong");
      assert.equal(json("server.enabled", raw), "wrong");
      assert.equal(json("server.agentName", raw), "wrong");
    }
    assert.equal(json("server.enabled", 1), "wrong");
    assert.equal(json("server.port", true), "wrong");
    assert.equal(json("server.agentName", 5), "wrong");
  });

  it("takes one of the choices", () => {
    assert.equal(json("ui.wake", "model"), "model");
    assert.equal(json("ui.wake", "Model"), "wrong");
    assert.equal(text("ui.wake", " off "), "off");
  });

  it("takes texts of one line, trimmed, and blank where blank means the default", () => {
    assert.equal(json("server.agentName", " pi "), "pi");
    assert.equal(json("server.agentName", ""), "");
    assert.equal(text("server.agentName", " "), "absent");
    for (const bad of ["a\nb", "a\u0000", "a\u2028b", "\ud83d", "x".repeat(8001)]) {
      assert.equal(json("server.agentName", bad), "wrong");
    }
  });

  it("takes an absolute folder", () => {
    assert.equal(json("server.workspace", process.cwd()), process.cwd());
    assert.equal(json("server.workspace", ""), "");
    assert.equal(json("server.workspace", "src"), "wrong");
    assert.equal(json("server.workspace", "~/src"), "wrong");
  });

  for (const [url, taken] of [
    ["http://127.0.0.1:9910", true],
    ["https://agents.example/a2a/?x=1", true],
    ["HTTP://[::1]:80/", true],
    ["", false],
    ["agents.example", false],
    ["/a2a", false],
    ["http:agents.example", false],
    ["ftp://agents.example", false],
    ["file:///etc/passwd", false],
    ["javascript:alert(1)", false],
    ["http://", false],
    ["http://host:99999", false],
    ["http://user:word@agents.example", false],
    ["http://a b/", false],
    ["http://a\n/", false],
  ] as const) {
    it(`${taken ? "takes" : "refuses"} the URL ${JSON.stringify(url)}`, () => {
      assert.equal(json("peers.*.url", url), taken ? url : "wrong");
    });
  }

  for (const [written, wanted] of [
    ["a:t1,b:t:2,,", { a: "t1", b: "t:2" }],
    [" a : t1 ", { a: "t1" }],
    [",", "absent"],
    ["a:t1,b:t:2,,c", { a: "t1", b: "t:2" }],
    ["a:t1,b c:t,d:", { a: "t1" }],
    ["c", "wrong"],
    ["a:two words", "wrong"],
    ["a:", "wrong"],
    [":t", "wrong"],
    ["__proto__:t", "wrong"],
    ["a b:t", "wrong"],
  ] as const) {
    it(`reads the tokens "${written}" by one rule, a token keeps its colons (G08)`, () => {
      assert.deepEqual(text("server.peerTokens", written), wanted);
    });
  }

  it("reads lists and maps from files in their own form", () => {
    assert.deepEqual(text("server.trustedPeers", " a , ,ip:::1"), ["a", "ip:::1"]);
    assert.deepEqual(json("server.trustedPeers", [" a ", "b"]), ["a", "b"]);
    assert.deepEqual(json("server.trustedPeers", "a,b"), ["a", "b"]);
    assert.deepEqual(json("server.trustedPeers", ["a", 1, "", "b\nc"]), ["a"]);
    assert.equal(json("server.trustedPeers", [1]), "wrong");
    assert.deepEqual(json("server.trustedPeers", []), []);
    assert.deepEqual(json("server.peerTokens", { a: " t:1 " }), { a: "t:1" });
    assert.deepEqual(json("server.peerTokens", { a: "t", b: 1, "c d": "t", e: "" }), { a: "t" });
    assert.deepEqual(json("server.peerTokens", "a:t:1"), { a: "t:1" });
    assert.equal(json("server.peerTokens", { a: 1 }), "wrong");
    assert.equal(json("server.peerTokens", ["a:t"]), "wrong");
    assert.deepEqual(json("server.skills", [{ id: "x" }]), [{ id: "x" }]);
    assert.equal(json("server.skills", ["x"]), "wrong");
    assert.deepEqual(json("server.callers", { a: {} }), { a: {} });
  });

  it("takes of tokens and headers only what HTTP can carry", () => {
    for (const bad of ["two words", "tab\there", "naïve", "a\u007f", "x".repeat(8001)]) {
      assert.equal(json("server.sharedToken", bad), "wrong");
    }
    assert.equal(json("server.sharedToken", "!~:,"), "!~:,");
    const headers = { "X-Api-Key": "a b", "Bad Name": "x", "X-Bad": "a\r\nHost: evil", "X-Umlaut": "ü" };
    assert.deepEqual(json("peers.*.headers", headers), { "X-Api-Key": "a b" });
    assert.equal(json("peers.*.auth.header", "X-Key\r\nHost"), "wrong");
  });

  it("takes the name of a variable, not its value", () => {
    assert.equal(json("peers.*.auth.tokenEnv", "MY_TOKEN_2"), "MY_TOKEN_2");
    for (const bad of ["$MY_TOKEN", "2X", "A-B", ""]) assert.equal(json("peers.*.auth.tokenEnv", bad), "wrong");
  });

  it("counts the entries that were left out", () => {
    assert.deepEqual(readJsonValue(setting("server.trustedPeers"), ["a", 1, 2]), {
      kind: "value",
      value: ["a"],
      leftOut: 2,
    });
  });

  it("comes to some reading of any value for any setting", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...SETTINGS),
        fc.jsonValue(),
        fc.string({ unit: "binary" }),
        (row, value, written) => {
          assert.match(readJsonValue(row, value).kind, /^(value|absent|wrong)$/);
          assert.match(readTextValue(row, written).kind, /^(value|absent|wrong)$/);
        },
      ),
    ));
});
