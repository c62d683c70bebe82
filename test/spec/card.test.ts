// The agent card, public and extended.

import assert from "node:assert/strict";
import type { CardFacts, Features } from "../../src/inbound/server-types.ts";
import { call, get, textParams } from "../support/a2a-calls.ts";
import { CARD_FACTS, createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { errorOf, taskOf } from "./stage.ts";
import { shapeFaults } from "./wire-shape.ts";

const PATH = "/.well-known/agent-card.json";

describe("the agent card", () => {
  let server: TestServer;
  let facts: CardFacts;
  const start = async (features: Features = {}, legacy = true): Promise<void> => {
    facts = CARD_FACTS;
    server = await startTestServer({ runner: createAnsweringRunner(), features, legacy, cardFacts: () => facts });
  };
  afterEach(() => server.stop());

  const fetchCard = (headers = {}, path = PATH, method = "GET") => get(server.port, path, { headers, method });
  const card = async (headers = {}) => JSON.parse((await fetchCard(headers)).text);

  it("[card-public] is there without a login, as JSON", async () => {
    await start();
    const reply = await fetchCard();
    assert.equal(reply.status, 200);
    assert.equal(reply.headers["content-type"], "application/json");
    assert.equal(JSON.parse(reply.text).name, "pi-test");
  });

  it("[card-below-path] is also where clients of an endpoint below a path look for it", async () => {
    await start();
    const { text } = await fetchCard();
    for (const path of [`/a2a${PATH}`, `/some/agent${PATH}`, "/.well-known/agent.json", `${PATH}?x=1`, `${PATH}/`]) {
      assert.equal((await fetchCard({}, path)).text, text, path);
    }
  });

  it("[card-required] [card-closed] has every required field filled and no other, whatever the session lacks (W27)", async () => {
    await start({}, false);
    const bare = { name: "", description: "", version: "", skills: [] };
    const skills = [
      { id: "a", name: "", description: "", tags: [] },
      { id: "b", name: "B", description: "", tags: [""] },
    ];
    for (const lacking of [CARD_FACTS, bare, { ...bare, skills }]) {
      facts = lacking;
      for (const headers of [{}, { "A2A-Version": "1.0" }, { "A2A-Version": "0.3" }]) {
        const value = await card(headers);
        assert.deepEqual(shapeFaults("AgentCard", value), []);
        assert.ok(value.skills.length > 0 && value.supportedInterfaces.length > 0);
      }
    }
  });

  it("[card-interface] names an address where calls are taken", async () => {
    await start();
    const [first] = (await card()).supportedInterfaces;
    assert.deepEqual(first, { url: `${server.origin}/`, protocolBinding: "JSONRPC", protocolVersion: "1.0" });
    const { pathname, port } = new URL(first.url);
    const reply = await call(Number(port), "SendMessage", textParams("hello"), { path: pathname });
    assert.equal(taskOf(reply).status.state, "TASK_STATE_COMPLETED");
  });

  it("[card-cache] [card-vary] says how long it may be kept, and what it depends on", async () => {
    await start();
    const { headers } = await fetchCard();
    assert.match(String(headers["cache-control"]), /(^|, )max-age=[1-9]\d*$/);
    assert.match(String(headers.etag), /^"[^"]+"$/);
    assert.equal(new Date(String(headers["last-modified"])).toUTCString(), headers["last-modified"]);
    assert.deepEqual(String(headers.vary).split(", ").sort(), ["A2A-Version", "Authorization"]);
  });

  it("[card-not-modified] is not sent again while it is the same", async () => {
    await start();
    const { headers } = await fetchCard();
    const { etag } = headers;
    const since = String(headers["last-modified"]);
    for (const known of [
      { "If-None-Match": etag },
      { "If-None-Match": `"x", W/${etag}` },
      { "If-Modified-Since": since },
    ]) {
      const reply = await fetchCard(known);
      assert.equal(reply.status, 304);
      assert.equal(reply.text, "");
      assert.equal(reply.headers.etag, etag);
    }
    server.clock.tick(5000);
    facts = { ...CARD_FACTS, name: "renamed" };
    for (const old of [{ "If-None-Match": etag }, { "If-Modified-Since": since }]) {
      assert.equal((await fetchCard(old)).status, 200, JSON.stringify(old));
    }
  });

  it("[card-head] is told about by HEAD", async () => {
    await start();
    const full = await fetchCard();
    const head = await fetchCard({}, PATH, "HEAD");
    assert.equal(head.status, 200);
    assert.equal(head.text, "");
    for (const name of ["etag", "last-modified", "content-length", "content-type", "vary"]) {
      assert.equal(head.headers[name], full.headers[name], name);
    }
  });

  it("[card-session-details] [card-no-secrets] says more of the session only to callers on this machine", async () => {
    await start({}, false);
    const session = { cwd: "/home/somebody/secret", pid: 4711, model: "provider/model" };
    facts = { ...CARD_FACTS, session };
    const { text, json } = { ...(await fetchCard()), json: await card() };
    const holders = json.capabilities.extensions.filter(({ params }: { params?: object }) => params !== undefined);
    assert.equal(holders.length, 1);
    assert.deepEqual(holders[0].params, session);
    assert.deepEqual(shapeFaults("AgentCard", json), []);
    assert.equal(text.split("/home/somebody").length, 2);
    for (const header of ["X-Forwarded-For", "Forwarded", "Via"]) {
      const forwarded = await fetchCard({ [header]: "203.0.113.7" });
      assert.equal(forwarded.status, 200);
      assert.doesNotMatch(forwarded.text, /somebody|4711|provider/);
    }
  });

  it("[card-capabilities] is true to the methods (W23)", async () => {
    for (const offered of [true, false]) {
      await start({ streaming: offered, push: offered });
      const { capabilities } = await card();
      assert.equal(capabilities.streaming, offered);
      assert.equal(capabilities.pushNotifications, offered);
      assert.equal(capabilities.extendedAgentCard, false);
      const sent = await call(server.port, "SendStreamingMessage", { message: {} });
      assert.equal(errorOf(sent).code, offered ? -32602 : -32004);
      const listed = await call(server.port, "ListTaskPushNotificationConfigs", { taskId: "none" });
      assert.equal(errorOf(listed).code, offered ? -32001 : -32003);
      if (offered) await server.stop();
    }
  });

  it("[extcard-not-offered] has no extended form without a login", async () => {
    await start();
    for (const params of [undefined, {}, { tenant: "x" }, null]) {
      const error = errorOf(await call(server.port, "GetExtendedAgentCard", params));
      assert.equal(error.code, -32004);
      assert.equal(error.data[0]?.reason, "UNSUPPORTED_OPERATION");
    }
  });

  it("[extcard-not-configured] says when the extended form is declared and missing", async () => {
    await start({ extendedCard: true });
    assert.equal((await card()).capabilities.extendedAgentCard, true);
    assert.equal(errorOf(await call(server.port, "GetExtendedAgentCard")).code, -32007);
    facts = { ...CARD_FACTS, session: { pid: 1 } };
    const { json } = await call(server.port, "GetExtendedAgentCard");
    assert.deepEqual(shapeFaults("AgentCard", json.result), []);
  });
});
