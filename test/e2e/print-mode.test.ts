// Pi without a person: `pi -p` and `pi --mode json` end by themselves although the server was on, and not before a call has its reply.

import assert from "node:assert/strict";
import { EXTENSION, OFFLINE_ARGS, runPi } from "../support/e2e-host.ts";
import { call } from "../support/e2e-script.ts";
import { openStage, type Stage, serve } from "../support/e2e-stage.ts";
import { freePort, isFree } from "../support/free-port.ts";
import { type HttpPeer, startHttpPeer } from "../support/http-peer.ts";

describe("a Pi run that ends by itself", () => {
  let stage: Stage;

  before(() => {
    stage = openStage();
  });

  after(() => stage.close());

  for (const mode of [["-p"], ["--mode", "json"]]) {
    it(`pi ${mode.join(" ")} serves while it runs, exits with 0, and frees its port (L01)`, async () => {
      const port = await freePort();
      const env = { ...stage.env, A2A_SERVER_ENABLED: "true", A2A_PORT: String(port), A2A_PORT_FALLBACK: "0" };
      const prompt = `${call("bash", { command: `"${process.execPath}" -e '${fetchHealth(port)}'` })}`;
      const args = [...mode, ...OFFLINE_ARGS, "-e", EXTENSION, prompt];
      const { code, stdout, stderr } = await runPi(args, { cwd: stage.workspace("served").path, env });
      assert.equal(code, 0, stderr);
      assert.ok(stdout.includes("health 200"), `the server did not answer: ${stdout.slice(-600)}`);
      assert.equal(await isFree(port), true);
    });
  }

  it("waits for the reply of a peer that streams it", async () => {
    const url = await serve(await stage.session(stage.workspace("peer")));
    const message = `${call("bash", { command: "sleep 1" })}\nsay it took a while`;
    assert.match(await printed(call("a2a_call", { agent: url, message })), /it took a while/);
  });

  it("waits for the reply of a peer that has to be asked again and again", async () => {
    const peer = await startPolledPeer("asked often enough");
    try {
      assert.match(await printed(call("a2a_call", { agent: peer.origin, message: "hello" })), /asked often enough/);
    } finally {
      await peer.stop();
    }
  });

  it("has the text of a command on standard error and ends (U13)", async () => {
    for (const mode of [["-p"], ["--mode", "json"]]) {
      const args = [...mode, ...OFFLINE_ARGS, "-e", EXTENSION, "/a2a-status"];
      const { code, stderr } = await runPi(args, { cwd: stage.workspace("calling").path, env: stage.env });
      assert.equal(code, 0);
      assert.match(stderr, /A2A server: stopped/);
    }
  });

  async function printed(prompt: string): Promise<string> {
    const args = ["-p", ...OFFLINE_ARGS, "-e", EXTENSION, prompt];
    const { code, stdout, stderr } = await runPi(args, { cwd: stage.workspace("calling").path, env: stage.env });
    assert.equal(code, 0, stderr);
    return stdout;
  }
});

/** An agent without streaming whose task works until it was asked about it three times. */
function startPolledPeer(reply: string): Promise<HttpPeer> {
  let asked = 0;
  return startHttpPeer(({ method, headers, rpc }, response) => {
    response.setHeader("content-type", "application/json");
    if (method === "GET") {
      response.end(JSON.stringify(polledCard(`http://${headers.host}/`)));
      return;
    }
    const asks = rpc.method === "GetTask";
    if (asks) asked += 1;
    const state = asked < 3 ? "TASK_STATE_WORKING" : "TASK_STATE_COMPLETED";
    const artifacts = asked < 3 ? [] : [{ artifactId: "reply", parts: [{ text: reply }] }];
    const task = { id: "task-1", contextId: "ctx-1", status: { state }, artifacts };
    response.end(JSON.stringify({ jsonrpc: "2.0", id: rpc.id, result: asks ? task : { task } }));
  });
}

function polledCard(url: string): object {
  return {
    name: "polled",
    description: "Has to be asked again and again.",
    version: "1",
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: { streaming: false },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
  };
}

/** A program for `node -e` that prints what /health answers. */
function fetchHealth(port: number): string {
  return `require("http").get("http://127.0.0.1:${port}/health", (r) => { console.log("health " + r.statusCode); r.destroy(); })`;
}
