import assert from "node:assert/strict";
import { appendFile, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Context, fauxToolCall, fauxAssistantMessage as say } from "@mariozechner/pi-ai";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { createSystemClock } from "../../src/core/platform/clock.ts";
import { createFilesPort } from "../../src/core/platform/files.ts";
import { createLog } from "../../src/core/platform/log.ts";
import { openTranscript, sweepTranscripts } from "../../src/pi/child/transcript.ts";
import { textMessage } from "../support/builders.ts";
import { createSdkHost, type SdkHost, type SdkHostOptions } from "../support/sdk-host.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

describe("the transcript of a child session", () => {
  let host: SdkHost;
  const start = async (options?: SdkHostOptions): Promise<void> => {
    host = await createSdkHost(options);
  };
  const folder = (): string => join(host.agentDir, "a2a_sessions");
  const pathOf = async (taskId: string): Promise<string> => {
    const name = (await readdir(folder())).find((candidate) => candidate.endsWith(`_${taskId}.jsonl`));
    assert.ok(name, `a transcript of ${taskId}`);
    return join(folder(), name);
  };
  const linesOf = async (taskId: string): Promise<{ type: string; [key: string]: unknown }[]> => {
    const text = await readFile(await pathOf(taskId), "utf8");
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
  };
  /** Runs one task whose model call is seen by the test. */
  const talk = async (taskId: string, text: string, previousTaskId?: string): Promise<string[]> => {
    const seen: string[] = [];
    host.script((context) => {
      seen.push(...conversation(context));
      return say(`answer to ${text}`);
    });
    const { outcome } = await host.run(text, { taskId, ...(previousTaskId === undefined ? {} : { previousTaskId }) });
    assert.deepEqual(outcome, { kind: "completed" });
    return seen;
  };
  afterEach(() => host.close());

  it("is a Pi session file named for its time and task, readable by its owner alone [sec-foreign-ids]", async () => {
    await start();
    await talk("task-1", "hello");
    const path = await pathOf("task-1");
    assert.match(path, /\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_task-1\.jsonl$/);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(folder())).mode & 0o777, 0o700);
    const lines = await linesOf("task-1");
    assert.equal(lines.filter((line) => line.type === "session").length, 1);
    assert.equal(lines[0]?.type, "session");
    assert.equal(SessionManager.open(path).buildSessionContext().messages.length, 2);
  });

  it("goes on under the next task's name when the context goes on, and the model sees what was said first [agent-conversation]", async () => {
    await start();
    await talk("task-1", "the word is XYZZY");
    const before = await readFile(await pathOf("task-1"), "utf8");
    const second = await talk("task-2", "second", "task-1");
    const third = await talk("task-3", "third", "task-2");
    assert.deepEqual(second, ["the word is XYZZY", "answer to the word is XYZZY", "second"]);
    assert.deepEqual(third.slice(0, 3), second);
    assert.equal(await readFile(await pathOf("task-1"), "utf8"), before);
    const [first, copy] = [(await linesOf("task-1"))[0], (await linesOf("task-2"))[0]];
    assert.equal(copy?.parentSession, await pathOf("task-1"));
    assert.notEqual(copy?.id, first?.id);
    assert.equal((await stat(await pathOf("task-2"))).mode & 0o777, 0o600);
  });

  it("goes on over lines that a killed process has torn", async () => {
    await start();
    await talk("task-1", "the word is XYZZY");
    await appendFile(await pathOf("task-1"), '{"type":"message","id":"torn","par');
    assert.deepEqual(await talk("task-2", "second", "task-1"), [
      "the word is XYZZY",
      "answer to the word is XYZZY",
      "second",
    ]);
  });

  it("goes on after a tool call whose result was never written", async () => {
    await start();
    const abort = new AbortController();
    host.script(say([fauxToolCall("bash", { command: "sleep 600" })], { stopReason: "toolUse" }));
    const onOutput = (): void => {
      if (host.faux.getPendingResponseCount() === 0) setImmediate(() => abort.abort());
    };
    await host.run("the word is XYZZY", { taskId: "task-1", signal: abort.signal, onOutput });
    const text = await readFile(await pathOf("task-1"), "utf8");
    assert.ok(text.includes('"toolCall"'));
    const cut = text.split("\n").filter((line) => !line.includes('"toolResult"'));
    await writeFile(await pathOf("task-1"), cut.join("\n"));
    const seen = await talk("task-2", "second", "task-1");
    assert.equal(seen[0], "the word is XYZZY");
    assert.equal(seen.at(-1), "second");
  });

  it("is told to be missing when the conversation so far cannot be given to the child", async () => {
    await start();
    const seen: string[] = [];
    host.script((context) => {
      seen.push(JSON.stringify(context.messages));
      return say("ok");
    });
    await host.run("second", { taskId: "task-2", previousTaskId: "task-1" });
    assert.match(seen[0] ?? "", /The earlier messages of this conversation are not available to you\./);
  });

  it("is not written with childTranscripts off, and a going-on conversation is told to be missing", async () => {
    await start({ server: { childTranscripts: false } });
    await talk("task-1", "hello");
    const seen = await talk("task-2", "second", "task-1");
    assert.deepEqual(seen, ["second"]);
    assert.deepEqual(await readdir(host.agentDir), []);
  });

  for (const [why, childTranscripts] of [
    ["none is kept", false],
    ["it was removed", true],
  ] as const) {
    it(`is replaced by what the engine knows of the conversation when ${why}, inside the frame`, async () => {
      await start({ server: { childTranscripts } });
      const seen: string[] = [];
      host.script(({ messages }) => {
        for (const { role, content } of messages)
          if (role === "user") seen.push(typeof content === "string" ? content : content.map(blockText).join(""));
        return say("ok");
      });
      const artifacts = [{ artifactId: "reply", parts: [{ text: "I keep XYZZY in mind" }] }];
      const status = { state: "TASK_STATE_COMPLETED", timestamp: "2026-01-01T00:00:00.000Z" } as const;
      const earlier = async function* () {
        yield { id: "task-1", contextId: "ctx", status, history: [textMessage("the word is XYZZY")], artifacts };
      };
      await host.run("which word?", { taskId: "task-2", previousTaskId: "task-1", earlier });
      assert.equal(seen.length, 1);
      assert.match(
        seen[0] ?? "",
        /wrote everything below this line.*\n\nWhat was said in this conversation before, as this session has kept it:\nCaller: the word is XYZZY\nYou: I keep XYZZY in mind\n\nWhat the caller says now:\nwhich word\?$/,
      );
    });
  }

  it("is not left empty by a task that got no answer", async () => {
    await start();
    Object.assign(host.registry, { hasConfiguredAuth: () => false });
    await host.run("question", { taskId: "task-1" });
    assert.deepEqual(await readdir(folder()), []);
  });

  it("is the same file when a task goes on after a question", async () => {
    await start();
    await talk("task-1", "the word is XYZZY");
    const seen: string[] = [];
    host.script((context) => {
      seen.push(...conversation(context));
      return say("thanks");
    });
    await host.run("the answer", { taskId: "task-1", resumes: true });
    assert.deepEqual(seen, ["the word is XYZZY", "answer to the word is XYZZY", "the answer"]);
    assert.equal((await readdir(folder())).length, 1);
  });

  it("is removed when it is older than the retention, never when that is 0", async () => {
    await start();
    await talk("task-1", "old");
    await talk("task-2", "new");
    const now = Date.now();
    await utimes(await pathOf("task-1"), new Date(now - 3 * DAY_MS), new Date(now - 3 * DAY_MS));
    await writeFile(join(folder(), "other.txt"), "");
    await utimes(join(folder(), "other.txt"), new Date(0), new Date(0));
    await sweepTranscripts(createFilesPort(), host.agentDir, 0, now);
    assert.equal((await readdir(folder())).length, 3);
    await sweepTranscripts(createFilesPort(), host.agentDir, 2, now);
    assert.deepEqual(
      (await readdir(folder())).map((name) => name.split("_").at(-1)),
      ["task-2.jsonl", "other.txt"],
    );
  });

  it("is removed for its age also beside what cannot be looked at; sessions that a person began there stay", async () => {
    await start();
    await talk("task-2", "old");
    const old = new Date(Date.now() - 3 * DAY_MS);
    await utimes(await pathOf("task-2"), old, old);
    const persons = join(folder(), "2020-01-01T00-00-00-000Z_019b8e3a-5b1c-7000-8000-0123456789ab.jsonl");
    await writeFile(persons, "{}\n");
    await utimes(persons, old, old);
    const loop = join(folder(), "2020-01-01T00-00-00-000Z_task-1.jsonl");
    await symlink(loop, loop);
    await assert.rejects(sweepTranscripts(createFilesPort(), host.agentDir, 2, Date.now()), /cannot look at .*task-1/);
    assert.deepEqual((await readdir(folder())).sort(), [loop, persons].map((path) => basename(path)).sort());
  });

  it("is given up, and the loss logged, when the earlier one cannot be read", async () => {
    await start();
    await mkdir(join(folder(), "2026_task-1.jsonl"), { recursive: true });
    const log = createLog(createSystemClock(), () => "log-id");
    const transcript = await openTranscript(
      { files: createFilesPort(), log },
      {
        taskId: "task-2",
        previousTaskId: "task-1",
        resumes: false,
        keep: true,
        cwd: host.workspace,
        agentDir: host.agentDir,
        now: 0,
      },
    );
    assert.equal(transcript.forgets, true);
    assert.match(JSON.stringify(log.lines()), /not a regular file/);
  });
});

/** What a model sees of a conversation: the peer's words without the frame, and the answers. */
function conversation(context: Context): string[] {
  return context.messages.flatMap((message) => {
    if (message.role === "toolResult") return [];
    const text = typeof message.content === "string" ? message.content : message.content.map(blockText).join("");
    return [text.slice(text.lastIndexOf("\n\n") + 1).trim()];
  });
}

function blockText(block: { type: string; text?: string }): string {
  return block.text ?? "";
}
