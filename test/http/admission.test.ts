// Who is let in, over real sockets: the table of credentials, before a byte of the body is read.

import assert from "node:assert/strict";
import type { AdmissionRules } from "../../src/inbound/admission/admission-types.ts";
import { call, get, post, rpcBody, textParams } from "../support/a2a-calls.ts";
import { CARD_FACTS, createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { admissionRules, peerToken, sharedToken } from "../support/admission-rules.ts";
import { openConnection, parseReply } from "../support/raw-connection.ts";

const TOKENS = [peerToken("alice"), peerToken("bob"), sharedToken()];
const BODY = rpcBody("SendMessage", textParams("hello"));

describe("admission", () => {
  let server: TestServer;
  let rules: AdmissionRules;
  beforeEach(async () => {
    rules = admissionRules({ tokens: TOKENS });
    server = await startTestServer({
      ...{ runner: createAnsweringRunner(), admission: () => rules },
      cardFacts: () => ({ ...CARD_FACTS, session: { cwd: "/work" } }),
    });
  });
  afterEach(() => server.stop());

  const send = (headers: Record<string, string>) => post(server.port, BODY, { headers });

  const RIGHT: Record<string, string>[] = [
    { Authorization: "Bearer token-of-alice" },
    { Authorization: "bearer   token-of-alice " },
    { "X-API-Key": "token-of-alice" },
    { Authorization: "Bearer token-of-alice", "X-API-Key": "token-of-alice" },
    { Authorization: "Basic Zm9vOmJhcg==", "X-API-Key": "token-of-alice" },
    { Authorization: "Bearer token-of-all" },
  ];
  for (const headers of RIGHT) {
    it(`lets in ${JSON.stringify(headers)}`, async () => {
      const reply = await send(headers);
      assert.equal(reply.json.result?.task?.status.state, "TASK_STATE_COMPLETED");
    });
  }

  const WRONG: Record<string, string>[] = [
    {},
    { Authorization: "" },
    { Authorization: "Bearer" },
    { Authorization: "Bearer " },
    { Authorization: "Bearer token-of-alic" },
    { Authorization: "Bearer token-of-alice token-of-bob" },
    { Authorization: "Basic token-of-alice" },
    { Authorization: "token-of-alice" },
    { Authorization: `Bearer ${"x".repeat(9000)}` },
    { Authorization: "Bearer token-of-alice", "X-API-Key": "token-of-bob" },
    { "X-API-Key": "wrong" },
    { "X-API-Key": "" },
  ];
  for (const headers of WRONG) {
    it(`refuses ${JSON.stringify(headers).slice(0, 80)} with 401 and a challenge [sec-tokens] (W25)`, async () => {
      const reply = await send(headers);
      assert.equal(reply.status, 401);
      assert.match(String(reply.headers["www-authenticate"]), /^Bearer realm="pi-a2a"/);
      assert.equal(reply.json.error?.code, -32050);
      assert.equal(reply.json.id, null);
      assert.doesNotMatch(reply.text, /token-of|alice|bob/);
      assert.equal(server.engine.stats().tasks, 0);
    });
  }

  it("refuses two different tokens of one header name", async () => {
    const connection = await openConnection(server.port);
    const lines = ["Authorization: Bearer token-of-alice", "Authorization: Bearer token-of-bob"].join("\r\n");
    connection.send(
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${lines}\r\nContent-Length: 5\r\n\r\n`,
    );
    assert.equal(parseReply(await connection.until("-32050")).status, 401);
    connection.destroy();
    await server.idle();
  });

  it("[sec-tokens] answers before a byte of the body has come, however long it is said to be (X12)", async () => {
    const connection = await openConnection(server.port);
    connection.send(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500000000\r\n\r\n",
    );
    assert.equal(parseReply(await connection.until("-32050")).status, 401);
    connection.destroy();
    await server.idle();
  });

  it("asks for no body that it would not read (X12)", async () => {
    const connection = await openConnection(server.port);
    const head = "Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 5\r\nExpect: 100-continue";
    connection.send(`POST / HTTP/1.1\r\n${head}\r\n\r\n`);
    assert.match(await connection.until("-32050"), /^HTTP\/1\.1 401 /);
    connection.destroy();
    await server.idle();
  });

  it("[sec-trusted] refuses who is known and not trusted with 403, and names nobody", async () => {
    rules = admissionRules({ tokens: TOKENS, trustedPeers: ["alice"] });
    const reply = await send({ Authorization: "Bearer token-of-bob" });
    assert.equal(reply.status, 403);
    assert.equal(reply.json.error?.code, -32052);
    assert.equal(reply.headers["www-authenticate"], undefined);
    assert.doesNotMatch(reply.text, /alice|bob/);
    assert.equal((await send({ Authorization: "Bearer token-of-alice" })).status, 200);
  });

  it("refuses a forwarded request where no token is set, and says how to allow it (X13)", async () => {
    rules = admissionRules();
    const forwarded = await send({ "X-Forwarded-For": "198.51.100.7" });
    assert.equal(forwarded.status, 401);
    assert.match(forwarded.text, /a2a\.server\.peerTokens or a2a\.server\.sharedToken/);
    assert.equal((await send({ Host: "box.tailnet.example" })).status, 403);
    assert.equal((await send({})).status, 200);
  });

  it("keeps the card and the health public", async () => {
    rules = admissionRules({ tokens: TOKENS, closed: true });
    for (const path of ["/", "/health", "/.well-known/agent-card.json", "/.well-known/agent.json"]) {
      assert.equal((await get(server.port, path)).status, 200, path);
      assert.equal((await get(server.port, path, { headers: { Authorization: "Bearer wrong" } })).status, 200, path);
    }
  });

  it("[extcard-served] gives the extended card to whoever logs in, and to nobody where nobody can", async () => {
    const ask = (headers = {}) => call(server.port, "GetExtendedAgentCard", {}, { headers });
    assert.equal((await ask()).status, 401);
    const card = await ask({ Authorization: "Bearer token-of-bob" });
    assert.match(card.text, /"cwd":"\/work"/);
    assert.match(card.text, /"extendedAgentCard":true/);
    rules = admissionRules();
    assert.equal((await ask()).json.error?.code, -32004);
  });

  it("uses changed tokens from the next request on", async () => {
    assert.equal((await send({ Authorization: "Bearer token-of-bob" })).status, 200);
    rules = admissionRules({ tokens: [peerToken("bob", "new-token")] });
    assert.equal((await send({ Authorization: "Bearer token-of-bob" })).status, 401);
    assert.equal((await send({ Authorization: "Bearer new-token" })).status, 200);
  });
});
