import assert from "node:assert/strict";
import { buildSettings } from "../../../../../src/core/config/build-settings.ts";
import { mergeLayers } from "../../../../../src/core/config/layer.ts";
import type { PeerSettings } from "../../../../../src/core/config/settings.ts";
import { secretsOf } from "../../../../../src/core/security/redact/known-secrets.ts";

describe("the secrets of the settings", () => {
  const { settings } = buildSettings(mergeLayers([]));

  it("are none by default", () => {
    assert.deepEqual(new Set(secretsOf(settings)), new Set([""]));
  });

  it("are the values of all rows that the schema calls secret, and of further headers the logins alone", () => {
    const peer: PeerSettings = {
      url: "https://a.test",
      origin: "operator",
      capabilities: [],
      auth: { type: "bearer", token: "token-of-a", header: "X-Api-Key" },
      headers: { "X-Team": "frontend", "X-Api-Key": "key-of-a", Authorization: "Bearer other-of-a" },
    };
    const server = {
      ...settings.server,
      sharedToken: "shared-token",
      peerTokens: { bob: "token-of-bob" },
      pushSecret: "push-secret",
    };
    assert.deepEqual(
      new Set(secretsOf({ ...settings, peers: { a: peer }, server })),
      new Set(["token-of-a", "key-of-a", "other-of-a", "shared-token", "token-of-bob", "push-secret"]),
    );
  });
});
