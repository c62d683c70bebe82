// Extensions: what a caller lists, what acts on its request, and what the card requires.

import assert from "node:assert/strict";
import { type CallReply, call, get, textParams } from "../support/a2a-calls.ts";
import { createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { postText, sendRaw } from "../support/raw-connection.ts";
import { errorOf, getTask, taskOf } from "./stage.ts";

const NEEDED = "https://example.com/ext/needed/v1";

describe("an extension", () => {
  let server: TestServer;
  const start = async (requiredExtension?: string): Promise<void> => {
    const features = requiredExtension === undefined ? {} : { requiredExtension };
    server = await startTestServer({ runner: createAnsweringRunner(), features });
  };
  afterEach(() => server.stop());

  const send = (headers: Readonly<Record<string, string>>, method = "SendMessage"): Promise<CallReply> =>
    call(server.port, method, textParams("hello"), { headers });

  it("[ext-unknown-ignored] that nobody knows is ignored (W26)", async () => {
    await start();
    for (const header of ["https://example.com/ext/unknown/v1", "x, y,, ,z", ",", " ", "\u00e4", "x".repeat(4000)]) {
      const reply = await send({ "A2A-Extensions": header });
      assert.equal(taskOf(reply).status.state, "TASK_STATE_COMPLETED", header);
      assert.equal(reply.headers["a2a-extensions"], undefined);
    }
  });

  it("[ext-required] that the card requires must be listed with every message (W26)", async () => {
    await start(NEEDED);
    const card = JSON.parse((await get(server.port, "/.well-known/agent-card.json")).text);
    const declared = card.capabilities.extensions.find(({ uri }: { uri: string }) => uri === NEEDED);
    assert.deepEqual(declared, { uri: NEEDED, required: true });
    for (const headers of [{}, { "A2A-Extensions": "" }, { "A2A-Extensions": "https://example.com/other" }]) {
      for (const method of ["SendMessage", "SendStreamingMessage"]) {
        const refused = await send(headers, method);
        assert.equal(refused.status, 200);
        assert.equal(refused.headers["content-type"], "application/json");
        assert.equal(errorOf(refused).code, -32008);
        assert.equal(errorOf(refused).data[0]?.reason, "EXTENSION_SUPPORT_REQUIRED");
      }
    }
    assert.equal(server.engine.stats().tasks, 0);
    const { id } = taskOf(await send({ "A2A-Extensions": NEEDED }));
    assert.equal((await getTask(server, id)).status.state, "TASK_STATE_COMPLETED");
  });

  it("[ext-exact-uri] counts under exactly its URI", async () => {
    await start(NEEDED);
    const others = [NEEDED.replace("v1", "v2"), `${NEEDED}/`, NEEDED.toUpperCase(), `${NEEDED}#`, NEEDED.slice(0, -1)];
    for (const other of others) assert.equal(errorOf(await send({ "A2A-Extensions": other })).code, -32008, other);
  });

  it("[ext-several] [ext-echo] is found among several, and named in the answer when it acts", async () => {
    await start(NEEDED);
    const among = await send({ "A2A-Extensions": `https://example.com/a ,${NEEDED},https://example.com/b` });
    assert.equal(taskOf(among).status.state, "TASK_STATE_COMPLETED");
    assert.equal(among.headers["a2a-extensions"], NEEDED);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: textParams("hello") });
    const lines = postText(body, { Connection: "close", "A2A-Extensions": "https://example.com/a" });
    const reply = await sendRaw(server.port, lines.replace("\r\n\r\n", `\r\nA2A-Extensions: ${NEEDED}\r\n\r\n`));
    assert.match(reply.body, /TASK_STATE_COMPLETED/);
    assert.equal(reply.headers["a2a-extensions"], NEEDED);
  });

  it("[ext-old-header] may be listed under the header's name of A2A 0.3 (W26)", async () => {
    await start(NEEDED);
    assert.equal(taskOf(await send({ "X-A2A-Extensions": NEEDED })).status.state, "TASK_STATE_COMPLETED");
  });
});
