// Which wire our client speaks, over real sockets: as the card says, and once more in the other one when the peer does not know it.

import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { AgentCard } from "../../src/core/protocol/types.ts";
import { agentCard, agentInterface } from "../support/builders.ts";
import { type PeerRequest, sendError, sendResult } from "../support/http-peer.ts";
import { failure, type Method, type Rig, type RigOptions, startRig } from "../support/outbound-rig.ts";

const done = { kind: "task", id: "t1", contextId: "c1", status: { state: "completed" }, artifacts: [art("hi")] };
const refuse =
  (code: number): Method =>
  (request, response) =>
    sendError(request, response, code, "no such thing");
const answer: Method = (request, response) => sendResult(request, response, done);

function art(text: string): object {
  return { artifactId: "a", parts: [{ kind: "text", text }] };
}

function card(protocolVersion: string, more: Partial<AgentCard> = {}): NonNullable<RigOptions["card"]> {
  return (origin) =>
    agentCard({
      supportedInterfaces: [agentInterface({ url: `${origin}/`, protocolVersion })],
      capabilities: {},
      ...more,
    });
}

async function withRig(options: RigOptions, work: (rig: Rig) => Promise<void>): Promise<void> {
  const rig = await startRig(options);
  try {
    await work(rig);
  } finally {
    await rig.end();
  }
}

const posts = (rig: Rig): PeerRequest[] => rig.peer.requests.filter(({ method }) => method === "POST");
const methods = (rig: Rig): unknown[] => posts(rig).map(({ rpc }) => rpc.method);

describe("the dialect of a call", () => {
  it("is 0.3 when the card says so: kind, lower-case role, blocking, no version header", async () => {
    await withRig({ card: card("0.3.0"), methods: { "message/send": answer } }, async (rig) => {
      const { text, state } = await rig.call({ parts: [{ raw: "QQ==", filename: "a.txt" }] });
      assert.equal(text, "hi");
      assert.equal(state, "TASK_STATE_COMPLETED");
      const [request] = posts(rig);
      assert.equal(request?.headers["a2a-version"], undefined);
      const message = { ...(request?.rpc.params?.message as object), messageId: "", metadata: {} };
      assert.deepEqual(message, {
        kind: "message",
        messageId: "",
        metadata: {},
        role: "user",
        parts: [
          { kind: "text", text: "hello" },
          { kind: "file", file: { bytes: "QQ==", name: "a.txt" } },
        ],
      });
      assert.deepEqual(request?.rpc.params?.configuration, { blocking: false });
    });
  });

  it("is the older pi-a2a shape for sessions that list only the older extension", async () => {
    const uri = "https://bacnh85.dev/a2a/extensions/pi-session/v1";
    const pi = card("1.0", { capabilities: { extensions: [{ uri }] } });
    await withRig({ card: pi, methods: { "message/send": answer } }, async (rig) => {
      assert.equal((await rig.call()).text, "hi");
      const params = posts(rig)[0]?.rpc.params;
      assert.deepEqual(
        { ...(params?.message as object), messageId: "", metadata: {} },
        {
          messageId: "",
          metadata: {},
          role: "ROLE_USER",
          parts: [{ text: "hello" }],
        },
      );
      assert.deepEqual(params?.configuration, { returnImmediately: true });
    });
  });

  for (const code of [-32601, -32009]) {
    it(`changes once after ${code}, with the same messageId, and is remembered`, async () => {
      const scripts = { SendMessage: refuse(code), "message/send": answer };
      await withRig({ card: card("1.0"), methods: scripts }, async (rig) => {
        assert.equal((await rig.call()).text, "hi");
        assert.equal((await rig.call()).text, "hi");
        assert.deepEqual(methods(rig), ["SendMessage", "message/send", "message/send"]);
        const ids = posts(rig).map(({ rpc }) => (rpc.params as { message: { messageId: string } }).message.messageId);
        assert.equal(ids[0], ids[1]);
        assert.notEqual(ids[1], ids[2]);
        const found = await rig.client.discover(rig.peer.origin, { typed: false });
        assert.equal(found.dialect, "0.3");
        assert.equal(found.chosen?.protocolVersion, "1.0");
      });
    });

    it(`changes from 0.3 to 1.0 after ${code}`, async () => {
      const scripts = { "message/send": refuse(code), SendMessage: answer };
      await withRig({ card: card("0.3"), methods: scripts }, async (rig) => {
        assert.equal((await rig.call()).text, "hi");
        assert.deepEqual(methods(rig), ["message/send", "SendMessage"]);
        assert.equal(posts(rig)[1]?.headers["a2a-version"], "1.0");
      });
    });
  }

  for (const code of [-32603, -32602, -32600, -32004, -32001]) {
    it(`does not change after ${code}`, async () => {
      await withRig(
        { card: card("1.0"), methods: { SendMessage: refuse(code), "message/send": answer } },
        async (rig) => {
          const error = await failure(rig.call(), "PEER_ERROR");
          assert.equal(error.metadata.rpcCode, String(code));
          assert.deepEqual(methods(rig), ["SendMessage"]);
        },
      );
    });
  }

  it("is tried no third time when the peer knows neither", async () => {
    const scripts = { SendMessage: refuse(-32009), "message/send": refuse(-32601) };
    await withRig({ card: card("1.0"), methods: scripts }, async (rig) => {
      const error = await failure(rig.call(), "PEER_ERROR");
      assert.equal(error.metadata.rpcCode, "-32009");
      assert.deepEqual(methods(rig), ["SendMessage", "message/send"]);
    });
  });

  it("changes for a stream, and for the stream's first frame", async () => {
    const streaming = card("1.0", { capabilities: { streaming: true } });
    for (const how of ["as JSON", "as a frame"] as const) {
      const first: Method = (request, response) => {
        if (how === "as JSON") return sendError(request, response, -32601, "unknown");
        const error = { jsonrpc: "2.0", id: request.rpc.id, error: { code: -32601, message: "unknown" } };
        response.writeHead(200, { "Content-Type": "text/event-stream" }).end(`data: ${JSON.stringify(error)}\n\n`);
      };
      const scripts = { SendStreamingMessage: first, "message/stream": answer };
      await withRig({ card: streaming, methods: scripts }, async (rig) => {
        assert.equal((await rig.call()).text, "hi");
        assert.deepEqual(methods(rig), ["SendStreamingMessage", "message/stream"]);
      });
    }
  });

  it("holds for questions about a task, and for telling a peer to stop", async () => {
    const scripts = { GetTask: refuse(-32601), "tasks/get": answer, "tasks/cancel": answer };
    await withRig({ card: card("1.0"), methods: scripts }, async (rig) => {
      const result = await rig.client.status({ agent: rig.peer.origin, taskId: "t1", waitSec: 0, typed: false });
      assert.equal(result.text, "hi");
      await rig.client.cancel(rig.peer.origin, "t1", { typed: false });
      assert.deepEqual(methods(rig), ["GetTask", "tasks/get", "tasks/cancel"]);
    });
  });

  it("keeps the tenant of the interface", async () => {
    const tenant: RigOptions["card"] = (origin) =>
      agentCard({
        supportedInterfaces: [agentInterface({ url: `${origin}/`, protocolVersion: "0.3", tenant: "blue" })],
        capabilities: {},
      });
    await withRig({ card: tenant, methods: { "message/send": answer } }, async (rig) => {
      await rig.call();
      assert.equal(posts(rig)[0]?.rpc.params?.tenant, "blue");
    });
  });
});
