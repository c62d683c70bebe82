import assert from "node:assert/strict";
import { buildSettings } from "../../../../../src/core/config/build-settings.ts";
import { mergeLayers } from "../../../../../src/core/config/layer.ts";
import type { PeerSettings } from "../../../../../src/core/config/settings.ts";
import { asSent, secretsOf } from "../../../../../src/core/security/redact/known-secrets.ts";

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

  it("are known in the form in which a basic login is sent, and by their password alone", () => {
    const encoded = Buffer.from("me:hunter2hunter2").toString("base64");
    assert.deepEqual(asSent("me:hunter2hunter2"), ["me:hunter2hunter2", encoded, "hunter2hunter2"]);
    const peer: PeerSettings = {
      url: "https://a.test",
      origin: "operator",
      capabilities: [],
      auth: { type: "basic", token: "me:hunter2hunter2", header: "X-Api-Key" },
      headers: {},
    };
    assert.ok(secretsOf({ ...settings, peers: { a: peer } }).includes(encoded));
  });
});
