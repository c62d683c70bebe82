// Who is let in, over real sockets: the table of credentials, before a byte of the body is read.

import assert from "node:assert/strict";
import type { AdmissionRules } from "../../src/inbound/admission/admission-types.ts";
import { post, rpcBody, textParams } from "../support/a2a-calls.ts";
import { createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { admissionRules, peerToken, sharedToken } from "../support/admission-rules.ts";
import { openConnection, parseReply } from "../support/raw-connection.ts";

const TOKENS = [peerToken("alice"), peerToken("bob"), sharedToken()];
const BODY = rpcBody("SendMessage", textParams("hello"));

describe("admission", () => {
  let server: TestServer;
  let rules: AdmissionRules;
  beforeEach(async () => {
    rules = admissionRules({ tokens: TOKENS });
    server = await startTestServer({ runner: createAnsweringRunner(), admission: () => rules });
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
    it(`refuses ${JSON.stringify(headers).slice(0, 80)} with 401 and a challenge (W25)`, async () => {
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

  it("answers before a byte of the body has come, however long it is said to be (X12)", async () => {
    const connection = await openConnection(server.port);
    connection.send(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500000000\r\n\r\n",
    );
    assert.equal(parseReply(await connection.until("-32050")).status, 401);
    connection.destroy();
    await server.idle();
  });

  it("uses changed tokens from the next request on", async () => {
    assert.equal((await send({ Authorization: "Bearer token-of-bob" })).status, 200);
    rules = admissionRules({ tokens: [peerToken("bob", "new-token")] });
    assert.equal((await send({ Authorization: "Bearer token-of-bob" })).status, 401);
    assert.equal((await send({ Authorization: "Bearer new-token" })).status, 200);
  });
});
