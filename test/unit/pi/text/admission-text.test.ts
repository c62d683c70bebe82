import assert from "node:assert/strict";
import type { ServerSettings } from "../../../../src/core/config/settings.ts";
import type { ServerReport } from "../../../../src/pi/server-control.ts";
import { admissionText } from "../../../../src/pi/text/admission-text.ts";
import { QUIET_REPORT } from "../../../support/server-report.ts";
import { settingsWith } from "../../../support/server-settings.ts";

const ALICE_AND_BOB = { alice: "token-a", bob: "token-b" };

function textFor(server: Partial<ServerSettings>, report: Partial<ServerReport> = {}): string {
  return admissionText(settingsWith(server), "/work", { ...QUIET_REPORT, ...report });
}

function whoMayCall(server: Partial<ServerSettings>, host = "127.0.0.1"): string | undefined {
  return /^Who may call: (.*)\.$/m.exec(textFor(server, { host }))?.[1];
}

describe("the text about admission", () => {
  const TABLE: readonly (readonly [Partial<ServerSettings>, string, string?])[] = [
    [{}, "every program on this machine, nobody from outside (loopback only, no login)"],
    [{ allowAllUsers: true }, "every program on this machine, nobody from outside (loopback only, no login)"],
    [{ trustedPeers: ["alice"] }, "nobody: a2a.server.trustedPeers names none of those who could"],
    [{ trustedPeers: ["ip:10.0.0.1"] }, "nobody: a2a.server.trustedPeers names none of those who could"],
    [
      { trustedPeers: ["ip:127.0.0.1", "ip:::1"] },
      "programs on this machine that call from 127.0.0.1, ::1 (loopback only, no login)",
    ],
    [{ sharedToken: "s" }, "whoever has the shared token, from this machine"],
    [{ sharedToken: "s" }, "whoever has the shared token, from wherever this address is reached", "0.0.0.0"],
    [{ peerTokens: { alice: "t" } }, "alice with its own token, from this machine"],
    [
      { peerTokens: ALICE_AND_BOB, sharedToken: "s" },
      "alice, bob with their own tokens, and whoever has the shared token, from wherever this address is reached",
      "192.168.1.5",
    ],
    [{ peerTokens: ALICE_AND_BOB, trustedPeers: ["bob"] }, "bob with its own token, from this machine"],
    [
      { peerTokens: ALICE_AND_BOB, sharedToken: "s", trustedPeers: ["bob"] },
      "bob with its own token, from this machine",
    ],
    [
      { peerTokens: ALICE_AND_BOB, sharedToken: "s", trustedPeers: ["bob"], allowAllUsers: true },
      "alice, bob with their own tokens, and whoever has the shared token, from this machine",
    ],
    [
      { sharedToken: "s", trustedPeers: ["ip:10.0.0.7"] },
      "whoever has the shared token and calls from 10.0.0.7, from wherever this address is reached",
      "::",
    ],
    [{ sharedToken: "s", trustedPeers: ["carol"] }, "nobody: a2a.server.trustedPeers names none of those who could"],
    [{ refusals: ["settings.json is not JSON"] }, "nobody until the settings can be read again"],
  ];
  for (const [server, who, host] of TABLE) {
    it(`says who may call with ${JSON.stringify(server)} on ${host ?? "loopback"}`, () => {
      assert.equal(whoMayCall(server, host), who);
    });
  }

  it("says what callers' agents get", () => {
    assert.match(
      textFor({ maxConcurrent: 7 }),
      /What callers get: up to 7 agents at once with this session's model and tools, in \/work\./,
    );
  });

  it("says which host was refused and how to have it", () => {
    const [first = ""] = textFor({}, { refusedHost: "0.0.0.0" }).split("\n");
    assert.match(first, /^Not listening on 0\.0\.0\.0: without a token/);
    assert.match(first, /a2a\.server\.sharedToken or a2a\.server\.peerTokens \(A2A_BEARER_TOKEN, A2A_PEER_TOKENS\)/);
  });

  it("hints at callers that cannot be told apart behind a proxy (X03)", () => {
    const pooled = /all callers with the shared token are one caller.*a2a\.server\.peerTokens/;
    assert.match(textFor({ sharedToken: "s", publicUrl: "https://a.example" }), pooled);
    assert.match(textFor({ sharedToken: "s", trustedProxies: ["10.0.0.1"] }), pooled);
    assert.match(textFor({ sharedToken: "s" }, { host: "0.0.0.0" }), pooled);
    assert.doesNotMatch(textFor({ sharedToken: "s" }), pooled);
    assert.doesNotMatch(textFor({ peerTokens: ALICE_AND_BOB, publicUrl: "https://a.example" }), pooled);
    const address = /the proxy's address.*a2a\.server\.trustedProxies/;
    assert.match(textFor({ sharedToken: "s", publicUrl: "https://a.example" }), address);
    assert.doesNotMatch(
      textFor({ sharedToken: "s", publicUrl: "https://a.example", trustedProxies: ["::1"] }),
      address,
    );
  });

  it("hints that a proxy without a token reaches nobody (X13)", () => {
    assert.match(
      textFor({ publicUrl: "https://a.example" }),
      /calls that a proxy passes on are refused without a token/,
    );
  });

  it("hints at a network without TLS", () => {
    const clear = /unencrypted/;
    assert.match(textFor({ sharedToken: "s" }, { host: "0.0.0.0" }), clear);
    assert.doesNotMatch(textFor({ sharedToken: "s" }), clear);
    assert.doesNotMatch(textFor({ sharedToken: "s", publicUrl: "https://a.example" }, { host: "0.0.0.0" }), clear);
  });

  it("hints at tokens that two names have", () => {
    assert.match(
      textFor({ peerTokens: { alice: "t", bob: "t" } }),
      /bob has the same token as alice and counts as alice/,
    );
    assert.match(textFor({ peerTokens: { alice: "t" }, sharedToken: "t" }), /the shared token is also a peer's token/);
    assert.doesNotMatch(textFor({ peerTokens: ALICE_AND_BOB, sharedToken: "s" }), /token is also|same token/);
  });

  it("shows no token, whatever is set", () => {
    const server = { peerTokens: ALICE_AND_BOB, sharedToken: "token-s", publicUrl: "https://a.example" };
    assert.doesNotMatch(textFor(server, { host: "0.0.0.0" }), /token-[abs]/);
  });

  it("stays short for many names", () => {
    const peerTokens = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`peer-${index}`, `t${index}`]));
    assert.match(whoMayCall({ peerTokens }) ?? "", /peer-7 and 92 more with their own tokens/);
  });
});
