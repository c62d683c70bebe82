// Optional abilities: the card and the methods say the same about streaming, extensions and the extended card.

import assert from "node:assert/strict";
import type { Features } from "../../src/inbound/server-types.ts";
import { type CallReply, call, get, openStream, post, rpcBody, textParams } from "../support/a2a-calls.ts";
import {
  CARD_FACTS,
  createAnsweringRunner,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from "../support/a2a-server.ts";
import { sendRaw } from "../support/raw-connection.ts";

const REQUIRED = "urn:example:required";
const OWN = "urn:pi-a2a:ext:v1";

interface Card {
  readonly capabilities: {
    readonly streaming: boolean;
    readonly extendedAgentCard: boolean;
    readonly extensions: readonly { readonly uri: string; readonly required?: boolean; readonly params?: object }[];
  };
}

describe("optional abilities", () => {
  let server: TestServer;
  const start = async (features: Features, more: TestServerOptions = {}): Promise<void> => {
    server = await startTestServer({ runner: createAnsweringRunner(), features, ...more });
  };
  afterEach(() => server.stop());

  const card = async (): Promise<Card> => JSON.parse((await get(server.port, "/.well-known/agent-card.json")).text);
  const send = (headers = {}, method = "SendMessage"): Promise<CallReply> =>
    post(server.port, rpcBody(method, textParams("hello")), { headers });

  it("without streaming refuse both stream methods before they read params, and say so on the card (W23) [stream-not-offered]", async () => {
    await start({ streaming: false });
    assert.equal((await card()).capabilities.streaming, false);
    for (const method of ["SendStreamingMessage", "SubscribeToTask"]) {
      for (const params of [textParams("hello"), { id: "task-1" }, {}, undefined]) {
        const { json, headers } = await call(server.port, method, params);
        assert.equal(json.error?.code, -32004);
        assert.equal(json.error?.data[0]?.reason, "UNSUPPORTED_OPERATION");
        assert.equal(headers["content-type"], "application/json");
      }
    }
    assert.equal(server.engine.stats().tasks, 0);
    assert.equal((await send()).json.result?.task?.status.state, "TASK_STATE_COMPLETED");
  });

  it("include no extended card while callers cannot log in (W23)", async () => {
    await start({});
    assert.equal((await card()).capabilities.extendedAgentCard, false);
    for (const params of [undefined, {}, { tenant: "x" }]) {
      assert.equal((await call(server.port, "GetExtendedAgentCard", params)).json.error?.code, -32004);
    }
  });

  it("give the extended card where it is declared, or say that there is none", async () => {
    await start({ extendedCard: true }, { cardFacts: () => ({ ...CARD_FACTS, session: { cwd: "/work" } }) });
    assert.equal((await card()).capabilities.extendedAgentCard, true);
    const { json } = await call(server.port, "GetExtendedAgentCard");
    const { capabilities } = json.result as unknown as Card;
    assert.deepEqual(capabilities.extensions.find(({ params }) => params !== undefined)?.params, { cwd: "/work" });
    await server.stop();
    await start({ extendedCard: true });
    const none = await call(server.port, "GetExtendedAgentCard");
    assert.equal(none.json.error?.code, -32007);
    assert.equal(none.json.error?.data[0]?.reason, "EXTENDED_AGENT_CARD_NOT_CONFIGURED");
  });

  describe("with a required extension", () => {
    beforeEach(() => start({ requiredExtension: REQUIRED }));

    it("list it as required on the card", async () => {
      const { extensions } = (await card()).capabilities;
      assert.deepEqual(extensions.at(-1), { uri: REQUIRED, required: true });
      assert.equal(extensions[0]?.uri, OWN);
    });

    it("refuse both sends that do not list it, and start nothing (W26)", async () => {
      for (const method of ["SendMessage", "SendStreamingMessage"]) {
        for (const headers of [{}, { "A2A-Extensions": `https://example.com/ext, ${REQUIRED}/v2,,` }]) {
          const { json, status } = await send(headers, method);
          assert.equal(json.error?.code, -32008);
          assert.equal(json.error?.data[0]?.reason, "EXTENSION_SUPPORT_REQUIRED");
          assert.equal(status, 200);
        }
      }
      assert.equal(server.engine.stats().tasks, 0);
    });

    it("take it from lists, from any of several lines and from the old header name, and name it in the reply (W26)", async () => {
      const ways: Record<string, string>[] = [
        { "A2A-Extensions": REQUIRED },
        { "A2A-Extensions": `https://example.com/ext/unknown/v1 ,${REQUIRED}` },
        { "a2a-extensions": `\t${REQUIRED} , ${REQUIRED}` },
        { "X-A2A-Extensions": REQUIRED },
      ];
      for (const headers of ways) {
        const reply = await send(headers);
        assert.equal(reply.json.result?.task?.status.state, "TASK_STATE_COMPLETED", JSON.stringify(headers));
        assert.equal(reply.headers["a2a-extensions"], REQUIRED);
      }
      const body = rpcBody("SendMessage", textParams("hello"));
      const lines = ["Host: 127.0.0.1", "Content-Type: application/json", "A2A-Extensions: urn:a", "Connection: close"];
      const head = ["POST / HTTP/1.1", ...lines, `A2A-Extensions: ${REQUIRED}`, `Content-Length: ${body.length}`];
      const raw = await sendRaw(server.port, `${head.join("\r\n")}\r\n\r\n${body}`);
      assert.match(raw.body, /TASK_STATE_COMPLETED/);
    });

    it("still serve the other methods without it", async () => {
      const sent = await send({ "A2A-Extensions": REQUIRED });
      const id = sent.json.result?.task?.id;
      assert.equal((await call(server.port, "GetTask", { id })).json.result?.id, id);
      assert.equal((await call(server.port, "ListTasks", {})).json.error, undefined);
    });
  });

  it("ignore names of extensions that nobody knows, and activate ours", async () => {
    await start({});
    for (const names of ["https://example.com/ext/unknown/v1", "%%%", ",,,", "x".repeat(4000)]) {
      const reply = await send({ "A2A-Extensions": names });
      assert.equal(reply.json.result?.task?.status.state, "TASK_STATE_COMPLETED");
      assert.equal(reply.headers["a2a-extensions"], undefined);
    }
    const reply = await send({ "A2A-Extensions": `urn:a, ${OWN}` });
    assert.equal(reply.headers["a2a-extensions"], OWN);
  });

  it("name activated extensions on streams and on slow replies too", async () => {
    server = await startTestServer();
    const headers = { "A2A-Extensions": OWN };
    const stream = await openStream(server.port, "SendStreamingMessage", textParams("hello"), 1, headers);
    assert.equal(stream.headers["a2a-extensions"], OWN);
    (await server.runner.next()).complete();
    await stream.ended;
    const slow = send(headers);
    const run = await server.runner.next();
    run.working();
    server.clock.tick(5000);
    run.complete();
    const reply = await slow;
    assert.equal(reply.headers["a2a-extensions"], OWN);
    assert.equal(reply.json.result?.task?.status.state, "TASK_STATE_COMPLETED");
  });
});
