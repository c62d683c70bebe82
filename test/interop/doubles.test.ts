// Our client against doubles of the agents that people have, over real sockets: each completes a send, a stream where it has one, a
// failure, and a question with its answer where it can ask.

import assert from "node:assert/strict";
import type { Settings } from "../../src/core/config/settings.ts";
import type { A2aError } from "../../src/core/platform/errors.ts";
import type { A2aClient, CallRequest, CallResult } from "../../src/outbound/client-types.ts";
import type { Dialect } from "../../src/outbound/dialect.ts";
import { startAdkServer } from "../support/doubles/adk-server.ts";
import { AGENTCORE_SESSION, AGENTCORE_TOKEN, startAgentCoreServer } from "../support/doubles/agentcore-server.ts";
import { startCrewAiServer } from "../support/doubles/crewai-server.ts";
import type { Double } from "../support/doubles/double.ts";
import { startEarlierPiServer } from "../support/doubles/earlier-pi-server.ts";
import { startGeminiServer } from "../support/doubles/gemini-server.ts";
import { startHermesServer } from "../support/doubles/hermes-server.ts";
import { LANGGRAPH_KEY, startLangGraphServer } from "../support/doubles/langgraph-server.ts";
import { startDotnetServer, startMsPythonServer } from "../support/doubles/microsoft-servers.ts";
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts";
import { interopRow } from "../support/interop-table.ts";
import { createTestClient, nextTurn, testSettings, whileTicking } from "../support/outbound-rig.ts";

interface Stand {
  readonly double: Double;
  readonly client: A2aClient;
  call(text: string, fields?: Partial<CallRequest>): Promise<CallResult>;
  status(taskId: string): Promise<CallResult>;
  /** The names of the methods that were called, in order. */
  methods(): readonly unknown[];
}

interface Peer {
  readonly name: string;
  readonly start: (how: { readonly streaming: boolean }) => Promise<Double>;
  readonly dialect: Dialect;
  /** What comes before the echo of the text. */
  readonly says: string;
  /** A state, or the code of a JSON-RPC error. */
  readonly fails: readonly [state: string, why: RegExp];
  /** What it wants to know, in the text or in an attachment; absent when it never asks. */
  readonly asks?: RegExp;
  readonly streams?: boolean;
  /** A turn ends with this state. */
  readonly ends?: string;
  /** Has tasks that can be asked for. */
  readonly keeps?: boolean;
  /** Of the settings of the peer called "double". */
  readonly login?: Pick<Settings["peers"][string], "auth" | "headers">;
}

const PEERS: readonly Peer[] = [
  {
    name: "Hermes (double)",
    start: startHermesServer,
    dialect: "1.0",
    says: "Hermes: ",
    fails: ["TASK_STATE_FAILED", /agent processing failed/],
    asks: /Which branch\?/,
  },
  {
    name: "Gemini CLI (double)",
    start: startGeminiServer,
    dialect: "0.3",
    says: "Gemini says hello. You said: ",
    fails: ["TASK_STATE_INPUT_REQUIRED", /the model is gone/],
    asks: /run_shell_command/,
    ends: "TASK_STATE_INPUT_REQUIRED",
    keeps: false,
  },
  {
    name: "Google ADK (double)",
    start: startAdkServer,
    dialect: "0.3",
    says: "ADK: ",
    fails: ["TASK_STATE_FAILED", /the tool is broken/],
    asks: /Which branch\?/,
  },
  {
    name: "LangGraph (double)",
    start: startLangGraphServer,
    dialect: "1.0",
    says: "LangGraph: ",
    fails: ["TASK_STATE_FAILED", /ValueError/],
    asks: /Which branch\?/,
    login: { headers: { "x-api-key": LANGGRAPH_KEY } },
  },
  {
    name: "CrewAI (double)",
    start: startCrewAiServer,
    dialect: "0.3",
    says: "Crew: ",
    fails: ["-32603", /Crew execution failed/],
  },
  {
    name: "Microsoft .NET (double)",
    start: startDotnetServer,
    dialect: "1.0",
    says: ".NET: ",
    fails: ["-32603", /internal error/],
    keeps: false,
  },
  {
    name: "Microsoft .NET before 1.0 (double)",
    start: (how) => startDotnetServer({ ...how, older: true }),
    dialect: "0.3",
    says: ".NET: ",
    fails: ["-32603", /internal error/],
    keeps: false,
  },
  {
    name: "Microsoft Python (double)",
    start: startMsPythonServer,
    dialect: "0.3",
    says: "Python: ",
    fails: ["TASK_STATE_FAILED", /the agent failed/],
  },
  {
    name: "AgentCore (double)",
    start: startAgentCoreServer,
    dialect: "0.3",
    says: "Core: ",
    fails: ["-32603", /Runtime client error/],
    streams: false,
    keeps: false,
    login: {
      auth: { type: "bearer", token: AGENTCORE_TOKEN, header: "" },
      headers: { [AGENTCORE_SESSION.name]: AGENTCORE_SESSION.value },
    },
  },
  {
    name: "pi-a2a 0.6.3 (double)",
    start: startEarlierPiServer,
    dialect: "pi-a2a",
    says: "Pi: ",
    fails: ["TASK_STATE_FAILED", /the child session failed/],
  },
];

async function withPeer(peer: Peer, streaming: boolean, work: (stand: Stand) => Promise<void>): Promise<void> {
  const double = await peer.start({ streaming });
  const clock: FakeClock = createFakeClock();
  const settings = testSettings({ peers: { double: { url: double.url, ...peer.login } } });
  const client = createTestClient(clock, () => settings);
  try {
    await work({
      double,
      client,
      call: (text, fields) =>
        whileTicking(clock, client.call({ agent: "double", text, detached: false, typed: false, ...fields })),
      status: (taskId) => whileTicking(clock, client.status({ agent: "double", taskId, waitSec: 0, typed: false })),
      methods: () => double.peer.requests.flatMap(({ rpc }) => rpc.method ?? []),
    });
  } finally {
    await client.close();
    await double.peer.stop();
    // The news of a connection that its peer has closed takes a turn or two.
    for (let turns = 0; turns < 1000 && clock.pending() > 0; turns++) await nextTurn();
    assert.equal(clock.pending(), 0, "timers left");
  }
}

describe("our client against doubles of other agents", () => {
  for (const peer of PEERS) describe(peer.name, () => checkPeer(peer));
});

function checkPeer(peer: Peer): void {
  const covers = interopRow(peer.name, "we call it");
  const ways = peer.streams === false ? [false] : [false, true];
  itHasACard(peer, covers);
  for (const streaming of ways) itAnswers(peer, covers, streaming, streaming ? "by a stream" : "by a send");
  if (peer.keeps !== false) itKeepsTasks(peer, covers);
  if (peer.asks === undefined) return;
  for (const streaming of ways) itAsks(peer, covers, streaming, streaming ? "by a stream" : "by a send");
}

type Covers = ReturnType<typeof interopRow>;

function itHasACard(peer: Peer, covers: Covers): void {
  it("has a card, and is spoken to as that says", async () => {
    covers("card", ...(peer.login === undefined ? [] : (["login"] as const)));
    await withPeer(peer, peer.streams !== false, async ({ client }) => {
      const found = await client.discover("double", { typed: false });
      assert.equal(found.dialect, peer.dialect);
      assert.deepEqual(found.warnings, []);
    });
  });
}

function itAnswers(peer: Peer, covers: Covers, streaming: boolean, how: string): void {
  it(`answers ${how}, once`, async () => {
    covers(streaming ? "stream" : "send", ...(peer.says === ".NET: " ? (["message"] as const) : []));
    await withPeer(peer, streaming, async ({ call, methods }) => {
      const result = await call("good morning");
      assert.equal(result.text, `${peer.says}good morning`);
      assert.equal(result.state, peer.ends ?? "TASK_STATE_COMPLETED");
      assert.deepEqual(result.attachments, []);
      assert.equal(methods().length, 1);
      assert.equal(/stream/i.test(String(methods()[0])), streaming);
    });
  });

  it(`fails ${how}, with its reason`, async () => {
    covers("failure");
    await withPeer(peer, streaming, async ({ call }) => {
      const ended = await call("please fail").then(
        ({ state, text }) => ({ state: state as string, text }),
        ({ metadata, message }: A2aError) => ({ state: metadata.rpcCode, text: message }),
      );
      const [state, why] = peer.fails;
      assert.equal(ended.state, state);
      assert.match(ended.text, why);
    });
  });
}

function itAsks(peer: Peer, covers: Covers, streaming: boolean, how: string): void {
  it(`asks ${how}, and takes the answer`, async () => {
    covers("question");
    await withPeer(peer, streaming, async ({ call, double }) => {
      const question = await call("please ask");
      assert.equal(question.state, "TASK_STATE_INPUT_REQUIRED");
      assert.match(`${question.text} ${JSON.stringify(question.attachments)}`, peer.asks ?? /^$/);
      const { contextId = "" } = question;
      const answered = await call("the main one", { contextId });
      assert.equal(answered.text, `${peer.says}the main one`);
      const last = double.peer.requests.at(-1)?.rpc.params?.message as Record<string, unknown>;
      assert.equal(last.contextId, contextId);
      assert.equal(last.taskId, question.taskId);
    });
  });
}

function itKeepsTasks(peer: Peer, covers: Covers): void {
  it("shows a task afterwards", async () => {
    covers("get");
    await withPeer(peer, false, async ({ call, status }) => {
      const { taskId = "" } = await call("good morning");
      assert.equal((await status(taskId)).text, `${peer.says}good morning`);
    });
  });
}
