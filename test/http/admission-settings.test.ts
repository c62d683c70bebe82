// Each setting about who may call, from the settings file and from the environment to its effect at a running server (G11).

import assert from "node:assert/strict";
import type { Environment } from "../../src/core/config/env.ts";
import type { Settings } from "../../src/core/config/settings.ts";
import { createAdmissionRules } from "../../src/pi/admission-rules.ts";
import { type CallReply, call, get, textParams } from "../support/a2a-calls.ts";
import { createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { createSettingsHome, type SettingsHome } from "../support/settings-home.ts";

const ALICE = { Authorization: "Bearer token-a" };
const BOB = { Authorization: "Bearer token-b" };
const ANYBODY = { Authorization: "Bearer token-s" };
const PEERS = { alice: "token-a", bob: "token-b" };

describe("the settings about who may call", () => {
  let home: SettingsHome;
  let settings: Settings;
  let server: TestServer;
  let callers: string[];

  beforeEach(async () => {
    home = await createSettingsHome();
    await use({});
    callers = [];
    const answering = createAnsweringRunner();
    server = await startTestServer({
      admission: createAdmissionRules(() => settings),
      runner: {
        run(request, emit) {
          callers.push(request.caller.name);
          return answering.run(request, emit);
        },
      },
    });
  });
  afterEach(async () => {
    await server.stop();
    await home.remove();
  });

  const use = async (block: object, env: Environment = {}): Promise<void> => {
    await home.global({ server: block });
    const loaded = await home.load({ env });
    assert.deepEqual(loaded.warnings, []);
    settings = loaded.settings;
  };
  const send = (headers: Record<string, string> = {}): Promise<CallReply> =>
    call(server.port, "SendMessage", textParams("hello"), { headers });
  const statuses = async (...all: Record<string, string>[]): Promise<number[]> => {
    const replies = [];
    for (const headers of all) replies.push((await send(headers)).status);
    return replies;
  };

  it("server.sharedToken, A2A_BEARER_TOKEN: whoever has it (G11)", async () => {
    assert.deepEqual(await statuses({}, ANYBODY), [200, 200]);
    await use({ sharedToken: "token-s" });
    assert.deepEqual(await statuses({}, ANYBODY, ALICE), [401, 200, 401]);
    await use({ sharedToken: "token-s" }, { A2A_BEARER_TOKEN: "token-a" });
    assert.deepEqual(await statuses({}, ANYBODY, ALICE), [401, 401, 200]);
  });

  it("server.peerTokens, A2A_PEER_TOKENS: each under its name (G11)", async () => {
    await use({ peerTokens: PEERS });
    assert.deepEqual(await statuses({}, ANYBODY, ALICE, BOB), [401, 401, 200, 200]);
    assert.deepEqual(callers, ["alice", "bob"]);
    await use({}, { A2A_PEER_TOKENS: "carol:token-a" });
    assert.deepEqual(await statuses(ALICE, BOB), [200, 401]);
    assert.deepEqual(callers, ["alice", "bob", "carol"]);
  });

  it("server.peerTokens before server.sharedToken, also for the same token", async () => {
    await use({ peerTokens: PEERS, sharedToken: "token-a" });
    assert.deepEqual(await statuses(ALICE), [200]);
    assert.deepEqual(callers, ["alice"]);
  });

  it("server.trustedPeers, A2A_TRUSTED_PEERS: only those it names (G11)", async () => {
    await use({ peerTokens: PEERS, sharedToken: "token-s", trustedPeers: ["alice"] });
    assert.deepEqual(await statuses(ALICE, BOB, ANYBODY), [200, 403, 403]);
    await use({ peerTokens: PEERS, sharedToken: "token-s" }, { A2A_TRUSTED_PEERS: "bob,ip:127.0.0.1" });
    assert.deepEqual(await statuses(ALICE, BOB, ANYBODY), [403, 200, 200]);
  });

  it("server.allowAllUsers, A2A_ALLOW_ALL_USERS: everybody with a token, and nobody without (G11)", async () => {
    await use({ peerTokens: PEERS, trustedPeers: ["alice"], allowAllUsers: true });
    assert.deepEqual(await statuses(ALICE, BOB, {}), [200, 200, 401]);
    await use({ peerTokens: PEERS, trustedPeers: ["alice"] }, { A2A_ALLOW_ALL_USERS: "true" });
    assert.deepEqual(await statuses(ALICE, BOB, {}), [200, 200, 401]);
  });

  it("server.trustedProxies: whose forwarded addresses are believed (G11)", async () => {
    const forwarded = { ...ANYBODY, "X-Forwarded-For": "203.0.113.9" };
    await use({ sharedToken: "token-s" });
    await send(forwarded);
    await use({ sharedToken: "token-s", trustedProxies: ["127.0.0.0/8"] });
    await send(forwarded);
    assert.deepEqual(callers, ["ip:127.0.0.1", "ip:203.0.113.9"]);
  });

  it("server.publicUrl, A2A_PUBLIC_URL: the address on the card (G11)", async () => {
    const url = async (): Promise<string> =>
      JSON.parse((await get(server.port, "/.well-known/agent-card.json")).text).supportedInterfaces[0].url;
    assert.equal(await url(), `${server.origin}/`);
    await use({ publicUrl: "https://agent.example.com/pi" });
    assert.equal(await url(), "https://agent.example.com/pi");
    await use({}, { A2A_PUBLIC_URL: "https://other.example.com" });
    assert.equal(await url(), "https://other.example.com/");
  });

  it("let nobody in while they cannot be read, tokens or not", async () => {
    await home.write(`${home.agentDir}/settings.json`, '{ "a2a": { "server": { "sharedToken": "token-s", } } }');
    settings = (await home.load()).settings;
    assert.deepEqual(await statuses({}, ANYBODY), [403, 403]);
    await use({ sharedToken: "token-s" });
    assert.deepEqual(await statuses({}, ANYBODY), [401, 200]);
  });
});
