import assert from "node:assert/strict";
import { LATER } from "../../../../src/core/config/later-keys.ts";
import { readJsonValue, readTextValue } from "../../../../src/core/config/read-value.ts";
import { SETTINGS } from "../../../../src/core/config/schema.ts";

/** Variables of the documentation and their settings. */
const VARIABLES: Readonly<Record<string, string>> = {
  A2A_BEARER_TOKEN: "server.sharedToken",
  A2A_PEER_TOKENS: "server.peerTokens",
  A2A_HOST: "server.host",
  A2A_PORT: "server.port",
  A2A_PORT_FALLBACK: "server.portFallback",
  A2A_AGENT_NAME: "server.agentName",
  A2A_PUBLIC_URL: "server.publicUrl",
  A2A_TRUSTED_PEERS: "server.trustedPeers",
  A2A_ALLOW_ALL_USERS: "server.allowAllUsers",
  A2A_RATE_LIMIT: "server.rateLimitPerMin",
  A2A_MAX_PINGPONG_TURNS: "server.maxPingpongTurns",
  A2A_REPLY_TIMEOUT: "server.replyTimeoutSec",
  A2A_ASYNC_TIMEOUT: "server.asyncTimeoutSec",
  A2A_CHILD_TRANSCRIPTS: "server.childTranscripts",
  A2A_CHILD_TRANSCRIPT_RETENTION_DAYS: "server.childTranscriptRetentionDays",
  A2A_SERVER_ENABLED: "server.enabled",
  A2A_SELF_IDENTITY: "selfIdentity",
  A2A_DISCOVERY_LOCAL: "discovery.local.enabled",
  A2A_DISCOVERY_MDNS: "discovery.mdns.enabled",
  A2A_MDNS_TYPE: "discovery.mdns.serviceType",
  A2A_GATEWAY_URL: "discovery.gateway.url",
  A2A_GATEWAY_TOKEN: "discovery.gateway.token",
  A2A_GATEWAY_ENABLED: "discovery.gateway.enabled",
  A2A_HEARTBEAT_SEC: "discovery.local.heartbeatSec",
  A2A_TTL_SEC: "discovery.local.ttlSec",
  A2A_ENRICH_CARD: "discovery.enrichCard",
  A2A_UI_TRANSCRIPT: "ui.transcript",
  A2A_UI_WAKE: "ui.wake",
  A2A_LEGACY: "server.legacy",
  A2A_MAX_HOPS: "server.maxHops",
  A2A_PUSH_TIMEOUT: "server.pushTimeoutSec",
  A2A_PUSH_ALLOW_INSECURE: "server.pushAllowInsecure",
  A2A_PUSH_SECRET: "server.pushSecret",
  A2A_STREAM_POLL: "server.streamPollSec",
};

function keysWhere(test: (setting: (typeof SETTINGS)[number]) => boolean): readonly string[] {
  return SETTINGS.filter(test)
    .map((setting) => setting.key)
    .sort();
}

describe("settings table", () => {
  it("says of each setting what it is called and what it does", () => {
    for (const { key, label, description } of SETTINGS) {
      assert.match(label, /^[A-Zm].+/, key);
      assert.match(description, /\.$/, key);
    }
  });

  it("has a default for each setting that its own rules take", () => {
    for (const setting of SETTINGS) {
      if (setting.default === undefined) continue;
      assert.deepEqual(readJsonValue(setting, setting.default), { kind: "value", value: setting.default }, setting.key);
    }
  });

  it("says what happens without a value where a setting that is read has no default", () => {
    assert.deepEqual(
      keysWhere((setting) => setting.wired && setting.default === undefined && setting.unset === undefined),
      [],
    );
  });

  it("gives each variable to one setting", () => {
    const found = SETTINGS.flatMap((setting) => (setting.env === undefined ? [] : [[setting.env, setting.key]]));
    assert.equal(new Set(found.map(([name]) => name)).size, found.length);
    assert.deepEqual(Object.fromEntries(found), VARIABLES);
  });

  it("lets a repository set peers without credentials and timeouts, nothing else", () => {
    assert.deepEqual(
      keysWhere((setting) => setting.repository),
      ["peers.*.capabilities", "peers.*.timeout", "peers.*.url", "timeouts.async", "timeouts.send", "timeouts.stream"],
    );
  });

  it("marks everything that holds a credential as secret", () => {
    const looksSecret = /token$|tokens$|secret$|headers$/i;
    assert.deepEqual(
      keysWhere((setting) => setting.secret),
      keysWhere((setting) => looksSecret.test(setting.key)),
    );
  });

  it("names the part that is to come for each setting without an effect, and for no other", () => {
    assert.deepEqual(
      keysWhere((setting) => !setting.wired),
      Object.keys(LATER).sort(),
    );
    for (const part of Object.values(LATER)) assert.match(part, /^[a-z].+[^.]$/);
  });

  it("takes a number written as text exactly when it takes the number", () => {
    for (const setting of SETTINGS) {
      if (setting.type !== "integer" && setting.type !== "number") continue;
      for (const value of [setting.min - 1, setting.min, setting.max, setting.max + 1, -1, 0, 300, 0.5]) {
        assert.deepEqual(
          readTextValue(setting, String(value)),
          readJsonValue(setting, value),
          `${setting.key} ${value}`,
        );
      }
    }
  });
});
