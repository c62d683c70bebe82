import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { A2aError } from "../../../../src/core/platform/errors.ts";
import { createLog } from "../../../../src/core/platform/log.ts";
import { NO_USAGE } from "../../../../src/pi/child/usage.ts";
import { complete } from "../../../../src/pi/commands/completions.ts";
import { COMMAND_HELP } from "../../../../src/pi/commands/help.ts";
import { registerCommands } from "../../../../src/pi/commands/index.ts";
import { firstWord } from "../../../../src/pi/commands/words.ts";
import { UNWATCHED } from "../../../../src/pi/dispatched/dispatched.ts";
import type { OpenTask } from "../../../../src/pi/dispatched/dispatched-task.ts";
import type { ServerControl, ServerReport } from "../../../../src/pi/server-control.ts";
import { createSettingsWarnings } from "../../../../src/pi/ui/settings-warnings.ts";
import type { Note } from "../../../../src/pi/ui/transcript-notes.ts";
import { callResult, createFakeClient } from "../../../support/fake-client.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { createFakeContext, createFakePi } from "../../../support/fake-pi.ts";
import { NOTHING_KEPT } from "../../../support/kept-reply.ts";
import { settingsWith } from "../../../support/server-settings.ts";

const REPORT: ServerReport = {
  host: "127.0.0.1",
  port: 9911,
  origin: "http://127.0.0.1:9911",
  cardUrl: "http://127.0.0.1:9911/.well-known/agent-card.json",
  busyPort: 9910,
  stats: { running: 0, waiting: 0, maxConcurrent: 3, tasks: 0, completed: 2, failed: 1 },
  running: [],
  keptProblems: [],
  usage: { ...NO_USAGE, runs: 2, inputTokens: 90, cacheReadTokens: 10, outputTokens: 7, cost: 0.25, seconds: 61.4 },
};

function bench(warnings = ["A2A_PORT is abc"], open: readonly OpenTask[] | A2aError = []) {
  const pi = createFakePi();
  const clock = createFakeClock();
  const client = createFakeClient(() => callResult());
  const notes: Note[] = [];
  const order: string[] = [];
  let running = false;
  let fails = false;
  const server: ServerControl = {
    async start() {
      order.push("server.start");
      if (fails) throw new A2aError("PORT_UNAVAILABLE", "port 9910 is taken");
      const already = running;
      running = true;
      return { report: REPORT, already };
    },
    async stop() {
      const was = running;
      running = false;
      return was;
    },
    report: () => (running ? REPORT : undefined),
    isOn: () => running,
    takeBack: () => undefined,
    release: async () => undefined,
  };
  const settings = settingsWith();
  const audit: { problem: string | undefined } = { problem: undefined };
  registerCommands(pi.api, {
    clock,
    log: createLog(clock, () => "log-1"),
    client: async () => client,
    replies: async () => ({ keep: async () => NOTHING_KEPT }),
    outgoing: async () => [],
    dispatched: async () => ({
      ...UNWATCHED,
      async open() {
        if (open instanceof A2aError) throw open;
        return open;
      },
    }),
    server: async () => server,
    async settings() {
      order.push("settings");
      const made = warnings.map((text) => ({ source: "environment", key: "server.port", text }));
      return { settings, warnings: made } as never;
    },
    warnings: createSettingsWarnings(),
    workspace: async () => "/workspace",
    audit: async () => ({ path: "/agent/a2a_audit.jsonl", problem: () => audit.problem }),
    notes: { add: (note) => void notes.push(note), close: () => undefined },
    peerNames: () => ["worker", "writer"],
  });
  const run = async (line: string) => {
    const [name = "", ...rest] = line.split(" ");
    const context = createFakeContext();
    await pi.commands.get(name)?.handler(rest.join(" "), context.ctx);
    return context.notified;
  };
  const failStart = (): void => {
    fails = true;
  };
  return { pi, client, notes, run, order, failStart, audit };
}

describe("commands", () => {
  it("are those of the help page and of the README", () => {
    const { pi } = bench();
    const helped = COMMAND_HELP.map((entry) => entry.usage.split(" ")[0]?.slice(1)).sort();
    assert.deepEqual([...pi.commands.keys()].sort(), helped);
    const readme = readFileSync(new URL("../../../../README.md", import.meta.url), "utf8");
    for (const name of pi.commands.keys()) assert.ok(readme.includes(`\`/${name}`), name);
  });

  it("/a2a-server start says the address, the busy port, the card, who may call and what they get", async () => {
    const { run } = bench();
    const said = (await run("a2a-server start")).at(-1);
    assert.match(said?.text ?? "", /^A2A server listening on 127\.0\.0\.1:9911\./);
    assert.match(said?.text ?? "", /Port 9910 was busy/);
    assert.match(said?.text ?? "", /Agent Card: http:\/\/127\.0\.0\.1:9911\/\.well-known\/agent-card\.json/);
    assert.match(said?.text ?? "", /Who may call: .*\nWhat callers get: .*\/workspace/);
  });

  it("/a2a-server start reads the settings again before it starts", async () => {
    const { run, order } = bench();
    await run("a2a-server start");
    assert.deepEqual(order, ["settings", "server.start"]);
  });

  it("/a2a-server start names the settings that it read and did not take, each once", async () => {
    const warnings = ["A2A_PORT is abc", "workspace is relative/x"];
    const { run, order } = bench(warnings);
    const said = await run("a2a-server start");
    assert.match(said[0]?.text ?? "", /not taken:\n- A2A_PORT is abc\n- workspace is relative\/x$/);
    assert.equal(said[0]?.level, "warning");
    warnings.push("workspace is ~/x");
    assert.match((await run("a2a-server start"))[0]?.text ?? "", /not taken:\n- workspace is ~\/x$/);
    assert.equal((await run("a2a-server start")).length, 1);
    assert.equal(order.filter((what) => what === "settings").length, 3);
  });

  it("/a2a-server start names them also when it then fails", async () => {
    const { run, failStart } = bench();
    failStart();
    const said = await run("a2a-server start");
    assert.deepEqual(
      said.map(({ level }) => level),
      ["warning", "error"],
    );
  });

  it("/a2a-server says so when there is nothing to start or stop", async () => {
    const { run } = bench();
    assert.match((await run("a2a-server stop"))[0]?.text ?? "", /not running/);
    await run("a2a-server start");
    assert.match((await run("a2a-server start")).at(-1)?.text ?? "", /already running/);
    assert.match((await run("a2a-server stop"))[0]?.text ?? "", /stopped/);
    assert.match((await run("a2a-server"))[0]?.text ?? "", /stopped\. Start it with/);
  });

  for (const line of [
    "a2a-server restart",
    "a2a-server start now",
    "a2a-send",
    "a2a-send worker",
    "a2a-send worker  ",
    "a2a-send worker --context ctx-1 ",
    "a2a-cancel",
    "a2a-cancel worker",
    "a2a-cancel worker task-1 task-2",
    "a2a-discover",
    "a2a-discover a b",
  ]) {
    it(`"${line}" prints its usage`, async () => {
      const [said] = await bench().run(line);
      assert.equal(said?.level, "error");
      assert.match(said?.text ?? "", /^Usage: \/a2a-/);
    });
  }

  it("/a2a-send keeps line breaks, marks the address as typed, and puts the reply beside the conversation", async () => {
    const { run, client, notes } = bench();
    const [said] = await run("a2a-send worker first line\n\nsecond line");
    assert.equal(client.calls[0]?.text, "first line\n\nsecond line");
    assert.equal(client.calls[0]?.typed, true);
    assert.match(said?.text ?? "", /all done/);
    assert.ok(notes[0]?.lines.includes("task task-1"));
  });

  it("/a2a-send goes on in a conversation, answers a task, and shows both ids", async () => {
    const { run, client } = bench();
    const [said] = await run("a2a-send worker --context ctx-1 --task task-1 --context is a word here");
    assert.deepEqual(
      [client.calls[0]?.contextId, client.calls[0]?.taskId, client.calls[0]?.text],
      ["is", "task-1", "a word here"],
    );
    assert.match(said?.text ?? "", /context ctx-1[\s\S]*task task-1/);
    await run("a2a-send worker --other x");
    assert.equal(client.calls[1]?.text, "--other x");
  });

  it("/a2a-cancel ends the task that is named, and says how it stands", async () => {
    const { run, client } = bench();
    const [said] = await run("a2a-cancel worker task-7 ");
    assert.match(said?.text ?? "", /^\[task task-7 · context ctx-1 · canceled\]/);
    assert.deepEqual(client.canceled, [{ agent: "worker", taskId: "task-7", typed: true }]);
  });

  it("/a2a-discover describes the agent", async () => {
    assert.match((await bench().run("a2a-discover http://127.0.0.1:9910"))[0]?.text ?? "", /^Agent: Test agent/);
  });

  it("/a2a-status has numbers and the settings that were not taken", async () => {
    const { run } = bench();
    await run("a2a-server start");
    const [said] = await run("a2a-status");
    assert.match(said?.text ?? "", /1 sent, 1 answered, 0 failed, 12 ms/);
    assert.match(said?.text ?? "", /2 completed, 1 failed\. They took 100 tokens in, 7 out, \$0\.2500, 61 s of work\./);
    assert.match(said?.text ?? "", /Setting not taken: A2A_PORT is abc/);
  });

  it("/a2a-status lists dispatched tasks that nobody was told of, and says nothing of none", async () => {
    assert.doesNotMatch((await bench().run("a2a-status"))[0]?.text ?? "", /Dispatched/);
    const task = { agent: "worker", url: "http://w", taskId: "task-7\u001b[2J", session: "s" };
    const at = createFakeClock().now() - 125_000;
    const open = [
      { ...task, at, here: true },
      { ...task, taskId: "task-8", at, here: false },
    ];
    const [said] = await bench([], open).run("a2a-status");
    assert.match(said?.text ?? "", /^Dispatched tasks that are open or not reported yet: 2$/m);
    assert.match(said?.text ?? "", /^ {2}- task-7 on worker, sent by this session 2m 05s ago$/m);
    assert.match(said?.text ?? "", /^ {2}- task-8 on worker, sent by another session 2m 05s ago$/m);
  });

  it("/a2a-status says the rest also where the folder of the dispatched tasks cannot be read", async () => {
    const [said] = await bench([], new A2aError("FILE_FAILED", "cannot list it: ENOTDIR")).run("a2a-status");
    assert.match(
      said?.text ?? "",
      /^A2A server: stopped[\s\S]*^Dispatched tasks: cannot list it: ENOTDIR$[\s\S]*^Audit: /m,
    );
  });

  it("/a2a-status names the file of the audit, and why it is not written", async () => {
    const { run, audit } = bench();
    assert.match((await run("a2a-status"))[0]?.text ?? "", /^Audit: \/agent\/a2a_audit\.jsonl$/m);
    audit.problem = "cannot write it: ENOSPC\u001b[2J";
    assert.match((await run("a2a-status"))[0]?.text ?? "", /^Audit: \S+ is not written: cannot write it: ENOSPC$/m);
  });
});

describe("command words", () => {
  it("split at the first blank and keep the rest as it was typed", () => {
    assert.deepEqual(firstWord("  a  b\n c "), { word: "a", rest: "b\n c " });
    assert.deepEqual(firstWord(""), { word: "", rest: "" });
  });

  it("complete what was typed with full texts", () => {
    const choices = [
      ["start", "x"],
      ["stop", "y"],
    ] as const;
    assert.deepEqual(
      complete("sto", choices)?.map((item) => item.value),
      ["stop"],
    );
    assert.equal(complete("zzz", choices), null);
    assert.equal(complete("stop", choices), null, "an open list would take the Enter");
  });
});
