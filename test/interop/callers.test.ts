// Doubles of the clients that people have against our real server, over real sockets: each completes a send, a stream where it has one,
// a failure, and a question with its answer, in the words and with the demands of its own.

import assert from "node:assert/strict";
import type { RunRequest, TaskRunner } from "../../src/core/ports.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { admissionRules, peerToken } from "../support/admission-rules.ts";
import { adkClient } from "../support/doubles/adk-client.ts";
import type { Caller, Said, Say } from "../support/doubles/caller.ts";
import { crewAiClient } from "../support/doubles/crewai-client.ts";
import { wishIn } from "../support/doubles/double.ts";
import { type EarlierPiClient, earlierPiClient } from "../support/doubles/earlier-pi-client.ts";
import { geminiClient } from "../support/doubles/gemini-client.ts";
import { hermesClient } from "../support/doubles/hermes-client.ts";
import { inspectorClient } from "../support/doubles/inspector-client.ts";
import { langGraphClient } from "../support/doubles/langgraph-client.ts";
import { dotnetClient, msPythonClient, olderDotnetClient } from "../support/doubles/microsoft-clients.ts";
import { interopRow } from "../support/interop-table.ts";

/** Streams the echo of a text in pieces, fails or asks when it is told to, and takes an answer in the same task. */
const AGENT: TaskRunner = {
  async run(request, emit) {
    const text = textOf(request);
    emit({ kind: "working", note: "reading" });
    const wish = request.resumes ? "answer" : wishIn(text);
    if (wish === "fail") return { kind: "failed", reason: "the model gave up" };
    if (wish === "ask") return { kind: "input-required", question: [{ text: "Which branch?" }] };
    for (const [index, piece] of ["You", " said ", text].entries()) {
      const artifact = { artifactId: "reply", parts: [{ text: piece }] };
      emit({ kind: "artifact", artifact, append: index > 0, lastChunk: index === 2, provisional: index < 2 });
    }
    return { kind: "completed" };
  },
};

function textOf({ message }: RunRequest): string {
  return message.parts.map((part) => ("text" in part ? part.text : "")).join("");
}

type Way = "send" | "stream";

interface Client {
  readonly name: string;
  readonly start: (server: TestServer) => Caller;
  /** Answers a question in its context alone, so that it begins a new task there. */
  readonly answersByContext?: boolean;
  /** Both unless told otherwise. */
  readonly ways?: readonly Way[];
  /** Puts the last message of the agent, which is the question, before the reply. */
  readonly repeatsQuestion?: boolean;
  /** Puts pieces on lines of their own. */
  readonly breaksLines?: boolean;
  readonly token?: string;
}

const CARD = "/.well-known/agent-card.json";
const TOKEN = "token-of-hermes";

const SENDS_ONLY = { ways: ["send"] } as const;

const CLIENTS: readonly Client[] = [
  ...([0, 1, 2] as const).map((generation) => ({
    name: `Hermes generation ${generation} (double)`,
    start: ({ origin }: TestServer) => hermesClient(origin, generation, TOKEN),
    answersByContext: true,
    breaksLines: generation === 2,
    token: TOKEN,
    ...(generation === 2 ? {} : SENDS_ONLY),
  })),
  { name: "pi-a2a 0.6.3 (double)", start: ({ origin }) => earlierPiClient(`${origin}/`), ...SENDS_ONLY },
  { name: "Gemini CLI (double)", start: ({ origin }) => geminiClient(origin + CARD) },
  { name: "CrewAI (double)", start: ({ origin }) => crewAiClient(origin + CARD), repeatsQuestion: true },
  { name: "Google ADK (double)", start: ({ origin }) => adkClient(origin + CARD) },
  { name: "LangGraph (double)", start: ({ origin }) => langGraphClient(`${origin}/`) },
  { name: "Microsoft .NET (double)", start: ({ origin }) => dotnetClient(origin) },
  { name: "Microsoft .NET before 1.0 (double)", start: ({ origin }) => olderDotnetClient(origin), ...SENDS_ONLY },
  { name: "Microsoft Python (double)", start: ({ origin }) => msPythonClient(origin), ways: ["stream"] },
  { name: "a2a-inspector (double)", start: ({ origin }) => inspectorClient(origin) },
];

for (const client of CLIENTS) describe(`${client.name} as client of our server`, () => itCalls(client));

function itCalls(client: Client): void {
  const { name, start, answersByContext, ways = ["send", "stream"], token } = client;
  const covers = interopRow(name, "it calls us");
  let server: TestServer;
  let caller: Caller;
  beforeEach(async () => {
    const rules = admissionRules(token === undefined ? {} : { tokens: [peerToken("hermes", token)] });
    server = await startTestServer({ runner: AGENT, admission: () => rules });
    caller = start(server);
  });
  afterEach(() => server.stop());

  const says = ({ text }: Said): string => (client.breaksLines === true ? text.replaceAll("\n", "") : text);
  const completed = (said: Said, text: string): void => {
    assert.equal(wordOf(said.state), "completed");
    assert.equal(says(said), `You said ${text}`);
  };

  it("reads the card", async () => {
    covers("card", ...(token === undefined ? [] : (["login"] as const)));
    assert.equal(await caller.discover(), "pi-test");
  });

  for (const how of ways) {
    const say: Say = (...said) => (how === "stream" ? streamOf(caller) : caller.send)(...said);

    it(`gets a reply by a ${how}, and goes on in the same conversation`, async () => {
      covers(how);
      const first = await say("one");
      completed(first, "one");
      assert.match(first.contextId ?? "", /^\S+$/);
      const { taskId: _ended, ...conversation } = first;
      const second = await say("two", conversation);
      completed(second, "two");
      assert.equal(second.contextId, first.contextId);
    });

    it(`learns by a ${how} why the work failed`, async () => {
      covers("failure");
      const said = await say("please fail");
      assert.equal(wordOf(said.state), "failed");
      assert.equal(said.text, "the model gave up");
    });

    it(`is asked by a ${how}, and answers`, async () => {
      covers("question");
      const asked = await say("please ask");
      assert.equal(wordOf(asked.state), "input-required");
      assert.equal(asked.text, "Which branch?");
      const answered = await say("main", asked);
      const { text } = answered;
      completed(
        { ...answered, text: client.repeatsQuestion === true ? text.replace("Which branch? ", "") : text },
        "main",
      );
      assert.equal(answered.contextId, asked.contextId);
      if (answersByContext !== true) assert.equal(answered.taskId, asked.taskId);
    });
  }
}

describe("pi-a2a 0.6.3 (double) beyond that", () => {
  const covers = interopRow("pi-a2a 0.6.3 (double)", "it calls us");
  let server: TestServer;
  let caller: EarlierPiClient;
  beforeEach(async () => {
    server = await startTestServer({ runner: AGENT });
    caller = earlierPiClient(`${server.origin}/`);
  });
  afterEach(() => server.stop());

  it("sends without waiting, polls, and lists", async () => {
    covers("get", "list");
    const said = await caller.detached("one");
    assert.deepEqual([said.state, said.text], ["TASK_STATE_COMPLETED", "You said one"]);
    assert.deepEqual(await caller.list(), [{ id: said.taskId, state: said.state }]);
  });
});

describe("a Hermes that is not let in", () => {
  it("is told by HTTP, and may read the card all the same", async () => {
    const rules = admissionRules({ tokens: [peerToken("hermes", TOKEN)] });
    const server = await startTestServer({ runner: AGENT, admission: () => rules });
    const stranger = hermesClient(server.origin, 1, "wrong");
    assert.equal(await stranger.discover(), "pi-test");
    await assert.rejects(stranger.send("one"), /HTTP 401/);
    await server.stop();
  });
});

function streamOf({ stream }: Caller): Say {
  assert.ok(stream !== undefined);
  return stream;
}

/** `TASK_STATE_INPUT_REQUIRED` and `input-required` are the same to whoever asked. */
function wordOf(state: string): string {
  return state
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
}
