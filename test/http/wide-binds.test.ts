// Servers that others than this machine can reach: every address, one address of the machine, IPv6. Only with tokens.

import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import type { TaskRunner } from "../../src/core/ports.ts";
import { rpcBody, textParams } from "../support/a2a-calls.ts";
import { CARD_FACTS, createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { admissionRules, peerToken, sharedToken } from "../support/admission-rules.ts";
import { openConnection, parseReply, postText } from "../support/raw-connection.ts";
import { skipBecause } from "../support/skip-because.ts";

const CARD = "/.well-known/agent-card.json";
const SESSION = { cwd: "/work/secret" };
const OWN_ADDRESS = Object.values(networkInterfaces())
  .flatMap((entries) => entries ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

describe("a server that others can reach", () => {
  let server: TestServer;
  let callers: string[];
  let rules = admissionRules();
  beforeEach(() => {
    callers = [];
    rules = admissionRules({ tokens: [peerToken("alice"), sharedToken()] });
  });
  afterEach(() => server.stop());

  const listen = async (host: string): Promise<void> => {
    const answering = createAnsweringRunner();
    const runner: TaskRunner = {
      run(request, emit) {
        callers.push(`${request.caller.key} as ${request.caller.name}`);
        return answering.run(request, emit);
      },
    };
    server = await startTestServer({
      ...{ runner, listen: { host, wide: true }, admission: () => rules },
      cardFacts: () => ({ ...CARD_FACTS, session: SESSION }),
    });
  };
  const exchange = async (address: string, text: string) => {
    const connection = await openConnection(server.port, address);
    connection.send(text);
    const reply = parseReply(await connection.closed);
    connection.destroy();
    return reply;
  };
  const send = (address: string, headers: Record<string, string> = {}) =>
    exchange(address, postText(rpcBody("SendMessage", textParams("hello")), { Connection: "close", ...headers }));
  const card = (address: string, headers: Record<string, string> = {}) => {
    const all = Object.entries({ Host: `${address}:${server.port}`, Connection: "close", ...headers });
    return exchange(address, `GET ${CARD} HTTP/1.1\r\n${all.map((pair) => pair.join(": ")).join("\r\n")}\r\n\r\n`);
  };
  const ALICE = { Authorization: "Bearer token-of-alice" };

  it("serves every address of the machine, and tells callers apart by token and address (X18)", async function () {
    if (OWN_ADDRESS === undefined) return skipBecause(this, "this machine has no address but loopback");
    await listen("0.0.0.0");
    assert.equal((await send(OWN_ADDRESS, { ...ALICE, Host: "pi.lan" })).status, 200);
    assert.equal((await send(OWN_ADDRESS, { "X-API-Key": "token-of-all" })).status, 200);
    assert.equal((await send("127.0.0.1", { "X-API-Key": "token-of-all" })).status, 200);
    assert.equal((await send(OWN_ADDRESS)).status, 401);
    assert.deepEqual(callers, ["peer:alice as alice", `shared as ip:${OWN_ADDRESS}`, "shared as ip:127.0.0.1"]);
  });

  it("writes IPv4 addresses of an IPv6 socket as IPv4 (X18)", async function () {
    try {
      await listen("::");
    } catch {
      server = await startTestServer();
      return skipBecause(this, "this machine has no IPv6");
    }
    assert.equal((await send("127.0.0.1", { "X-API-Key": "token-of-all" })).status, 200);
    assert.equal((await send("::1", { "X-API-Key": "token-of-all" })).status, 200);
    assert.deepEqual(callers, ["shared as ip:127.0.0.1", "shared as ip:::1"]);
  });

  it("serves one address of the machine when told so", async function () {
    if (OWN_ADDRESS === undefined) return skipBecause(this, "this machine has no address but loopback");
    await listen(OWN_ADDRESS);
    assert.equal(server.origin, `http://${OWN_ADDRESS}:${server.port}`);
    assert.equal((await send(OWN_ADDRESS, ALICE)).status, 200);
    await assert.rejects(openConnection(server.port, "127.0.0.1"), { code: "ECONNREFUSED" });
  });

  it("shows a stranger a card with name, skills and login, and nothing of the session (X17)", async () => {
    await listen("0.0.0.0");
    const stranger = await card("127.0.0.1");
    assert.equal(stranger.status, 200);
    assert.ok(!stranger.body.includes("secret"));
    const shown = JSON.parse(stranger.body);
    assert.equal(shown.name, "pi-test");
    assert.deepEqual(Object.keys(shown.securitySchemes), ["bearer", "apiKey"]);
    assert.equal(shown.capabilities.extendedAgentCard, true);
    assert.equal(stranger.headers["cache-control"], "max-age=60");

    const known = await card("127.0.0.1", ALICE);
    assert.ok(known.body.includes("secret"));
    assert.equal(known.headers["cache-control"], "private, max-age=60");
    assert.notEqual(known.headers.etag, stranger.headers.etag);
    assert.ok(!(await card("127.0.0.1", { Authorization: "Bearer wrong" })).body.includes("secret"));
  });

  it("names an address in the card that this caller can use (C02)", async () => {
    await listen("0.0.0.0");
    const urlFor = async (host: string): Promise<string> =>
      JSON.parse((await card("127.0.0.1", { Host: host })).body).supportedInterfaces[0].url;
    assert.equal(await urlFor(`pi.lan:${server.port}`), `http://pi.lan:${server.port}/`);
    assert.equal(await urlFor(`0.0.0.0:${server.port}`), `http://127.0.0.1:${server.port}/`);
    rules = { ...rules, publicUrl: "https://agent.example.com/pi" };
    assert.equal(await urlFor("pi.lan"), "https://agent.example.com/pi");
  });

  it("serves any well-formed host once callers log in, and no other", async () => {
    await listen("0.0.0.0");
    for (const host of ["pi.lan:9910", "evil.example", "[fd00::1]:1", "10.0.0.1"]) {
      assert.equal((await send("127.0.0.1", { ...ALICE, Host: host })).status, 200, host);
    }
    for (const host of ["", "a@b", "a/b", "a b", "[::1"]) {
      assert.equal((await send("127.0.0.1", { ...ALICE, Host: host })).status, 403, host);
    }
  });

  it("serves pages of its own addresses and public URL, and none of a name that anybody may point here (X04)", async () => {
    await listen("0.0.0.0");
    rules = { ...rules, publicUrl: "https://agent.example.com" };
    const status = async (host: string, origin: string) =>
      (await send("127.0.0.1", { ...ALICE, Host: host, Origin: origin })).status;
    assert.equal(await status("10.0.0.1:1", "http://10.0.0.1:1"), 200);
    assert.equal(await status("agent.example.com", "https://agent.example.com"), 200);
    assert.equal(await status("evil.example:1", "http://evil.example:1"), 403);
    assert.equal(await status("10.0.0.1:1", "http://10.0.0.2:1"), 403);
    assert.equal(await status("agent.example.com", "http://agent.example.com"), 403);
    assert.equal(await status("10.0.0.1", "null"), 403);
  });

  it("serves its own machine only from the moment its last token is gone", async function () {
    if (OWN_ADDRESS === undefined) return skipBecause(this, "this machine has no address but loopback");
    await listen("0.0.0.0");
    rules = admissionRules();
    assert.equal((await send(OWN_ADDRESS, { ...ALICE, Host: "127.0.0.1" })).status, 401);
    assert.equal((await card(OWN_ADDRESS, ALICE)).status, 403);
    assert.equal((await send("127.0.0.1")).status, 200);
    assert.deepEqual(callers, ["local as ip:127.0.0.1"]);
  });
});
