// A child that hands work on: with the host's own tools, and as part of the chain that its work came by.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Context, fauxText, fauxToolCall, fauxAssistantMessage as say } from "@mariozechner/pi-ai";
import { createSystemClock } from "../../src/core/platform/clock.ts";
import { A2aError } from "../../src/core/platform/errors.ts";
import { createLog } from "../../src/core/platform/log.ts";
import type { A2aClient, CallRequest, CallResult, StatusRequest } from "../../src/outbound/client-types.ts";
import { clientTools } from "../../src/pi/child/client-tools.ts";
import { UNWATCHED } from "../../src/pi/dispatched/dispatched.ts";
import type { ToolLimits } from "../../src/pi/host/launch-args.ts";
import { callResult, createFakeClient } from "../support/fake-client.ts";
import { NOTHING_KEPT } from "../support/kept-reply.ts";
import { createSdkHost, type SdkHost } from "../support/sdk-host.ts";

const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const CHAIN = { traceparent: TRACEPARENT, sessions: ["first-session"], hopsLeft: 2 };
const CLIENT_TOOLS = ["a2a_call", "a2a_status", "a2a_discover"];

describe("a child that hands work on", () => {
  let host: SdkHost;
  let discovered: unknown[];
  const start = async (
    answer: (request: CallRequest | StatusRequest) => CallResult = () => callResult(),
    tools: ToolLimits = {},
  ) => {
    const fake = createFakeClient(answer);
    discovered = [];
    const client: A2aClient = {
      ...fake,
      discover: (target, options) => {
        discovered.push(options);
        return fake.discover(target, options);
      },
    };
    const clock = createSystemClock();
    const deps = {
      clock,
      log: createLog(clock, () => "log-id"),
      client: async () => client,
      replies: async () => ({ keep: async () => NOTHING_KEPT }),
      outgoing: async () => [],
      dispatched: async () => UNWATCHED,
    };
    host = await createSdkHost({ childTools: ({ chain }) => clientTools(deps, chain), session: { tools } });
    return fake;
  };
  afterEach(() => host.close());

  const use = (tool: string, args: Record<string, unknown>) =>
    say([fauxToolCall(tool, args)], { stopReason: "toolUse" });
  /** The names of the tools that the model is offered. */
  const offered = async (): Promise<string[]> => {
    let seen: Context | undefined;
    host.script((context) => {
      seen = context;
      return say("ok");
    });
    await host.run("work", { chain: CHAIN });
    return (seen?.tools ?? []).map(({ name }) => name).filter((name) => CLIENT_TOOLS.includes(name));
  };

  it("calls with the chain of its own work, and with an address that nobody typed", async () => {
    const client = await start();
    host.script(use("a2a_call", { agent: "http://127.0.0.1:9999", message: "go on" }), say("done"));
    const { reply } = await host.run("work", { chain: CHAIN });
    assert.equal(reply, "done");
    assert.deepEqual(client.calls[0]?.chain, CHAIN);
    assert.equal(client.calls[0]?.typed, false);
  });

  it("asks for states and cards as part of it, too", async () => {
    const client = await start();
    const ask = { agent: "worker", task_id: "task-1" };
    host.script(use("a2a_status", ask), use("a2a_discover", { url: "worker" }), say("done"));
    await host.run("work", { chain: CHAIN });
    assert.deepEqual(client.asked[0]?.chain, CHAIN);
    assert.equal(client.asked[0]?.typed, false);
    assert.deepEqual(JSON.parse(JSON.stringify(discovered)), [{ typed: false, chain: CHAIN, signal: {} }]);
  });

  it("reads why a call was not made, and what to do instead", async () => {
    await start(() => {
      throw new A2aError("HOPS_USED_UP", "this work was passed on 4 times");
    });
    let told = "";
    host.script(use("a2a_call", { agent: "worker", message: "go on" }), (context) => {
      told = JSON.stringify(context.messages.at(-1));
      return say("done here");
    });
    assert.equal((await host.run("work", { chain: CHAIN })).reply, "done here");
    assert.match(told, /passed on 4 times.*Finish the task here/);
  });

  it("has the tools of a client, and no others of this package", async () => {
    await start();
    assert.deepEqual(await offered(), CLIENT_TOOLS);
  });

  const limits: readonly (readonly [flag: string, tools: ToolLimits, left: readonly string[]])[] = [
    ["--tools read", { only: ["read"] }, []],
    ["--tools read,a2a_call", { only: ["read", "a2a_call"] }, ["a2a_call"]],
    ["--no-tools", { none: "all" }, []],
    ["--no-builtin-tools", { none: "builtin" }, CLIENT_TOOLS],
  ];
  for (const [flag, tools, left] of limits) {
    it(`has of them what ${flag} leaves to its host`, async () => {
      await start(undefined, tools);
      assert.deepEqual(await offered(), left);
    });
  }

  it("has its trace in its transcript, once, and never in what its model reads", async () => {
    await start();
    const seen: string[] = [];
    const look = (context: Context) => {
      seen.push(JSON.stringify(context));
      return seen.length === 1 ? use("a2a_status", { agent: "worker", task_id: "task-1" }) : say([fauxText("done")]);
    };
    host.script(look, look);
    await host.run("work", { chain: CHAIN, taskId: "task-7", contextId: "ctx-7" });
    const [name = ""] = await readdir(join(host.agentDir, "a2a_sessions"));
    const lines = (await readFile(join(host.agentDir, "a2a_sessions", name), "utf8")).trim().split("\n");
    const entries = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === "custom");
    assert.deepEqual(
      entries.map(({ customType, data }) => ({ customType, data })),
      [
        {
          customType: "a2a",
          data: { taskId: "task-7", contextId: "ctx-7", traceparent: TRACEPARENT, sessions: ["first-session"] },
        },
      ],
    );
    assert.equal(seen.length, 2);
    for (const text of seen) assert.doesNotMatch(text, /4bf92f3577b34da6a3ce929d0e0e4736|first-session/);
  });
});
