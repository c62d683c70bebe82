// The name that a caller gives itself, over real sockets: it is shown and audited for callers that were let in, and decides nothing.

import assert from "node:assert/strict";
import { callerLabel } from "../../src/core/security/identity.ts";
import type { AdmissionRules } from "../../src/inbound/admission/admission-types.ts";
import { post, rpcBody, textParams } from "../support/a2a-calls.ts";
import { createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { admissionRules, peerToken, sharedToken } from "../support/admission-rules.ts";

const ALICE = { Authorization: "Bearer token-of-alice" };
const SHARED = { Authorization: "Bearer token-of-all" };

describe("the name that a caller gives itself", () => {
  let server: TestServer;
  let rules: AdmissionRules;
  let shown: string[];
  beforeEach(async () => {
    rules = admissionRules({ tokens: [peerToken("alice"), sharedToken()] });
    server = await startTestServer({ runner: createAnsweringRunner(), admission: () => rules });
    shown = [];
    server.engine.observe((event) => {
      if (event.kind === "submitted") shown.push(callerLabel(event.owner));
    });
  });
  afterEach(() => server.stop());

  const send = (headers: Record<string, string>, self?: unknown) => {
    const params = textParams("hello") as { readonly message: object };
    const metadata = self === undefined ? {} : { metadata: { "pi/self": self } };
    return post(server.port, rpcBody("SendMessage", { ...params, message: { ...params.message, ...metadata } }), {
      headers,
    });
  };

  it("is shown of a caller with the shared token, as unproven (X03)", async () => {
    await send({ ...SHARED, "X-A2A-Identity": "librarian-b%C3%BCcher" });
    await send({ ...SHARED, "X-A2A-Identity": "pi-kimchi" });
    assert.deepEqual(shown, ["librarian-bücher (unproven, ip:127.0.0.1)", "pi-kimchi (unproven, ip:127.0.0.1)"]);
    assert.equal(server.audit.entries.find(({ event }) => event === "arrival")?.asserted, "librarian-bücher");
  });

  it("never takes the place of a name that a token proves", async () => {
    await send({ ...ALICE, "X-A2A-Identity": "bob" });
    assert.deepEqual(shown, ["alice (calls itself bob)"]);
  });

  it("may come with the message where there is no header", async () => {
    await send(SHARED, { name: "pi", identity: "session-a" });
    await send(SHARED, { name: "pi\u001b[2J" });
    await send({ ...SHARED, "X-A2A-Identity": "header" }, { name: "pi" });
    await send(SHARED, { name: 5 });
    const address = "ip:127.0.0.1";
    const names = ["session-a", "pi", "header"].map((name) => `${name} (unproven, ${address})`);
    assert.deepEqual(shown, [...names, address]);
  });

  it("lets nobody in, owns nothing, and is trusted by nobody", async () => {
    assert.equal((await send({ "X-A2A-Identity": "alice" })).status, 401);
    const mine = await send({ ...SHARED, "X-A2A-Identity": "bob" });
    const id = mine.json.result?.task?.id ?? assert.fail("no task");
    const get = (headers: Record<string, string>) => post(server.port, rpcBody("GetTask", { id }), { headers });
    assert.equal((await get({ ...SHARED, "X-A2A-Identity": "carol" })).json.result?.id, id);
    assert.equal((await get({ ...ALICE, "X-A2A-Identity": "bob" })).json.error?.code, -32_001);
    rules = admissionRules({ tokens: [peerToken("alice"), sharedToken()], trustedPeers: ["bob"] });
    assert.equal((await send({ ...SHARED, "X-A2A-Identity": "bob" })).status, 403);
    assert.equal((await send({ ...ALICE, "X-A2A-Identity": "bob" })).status, 403);
  });
});
