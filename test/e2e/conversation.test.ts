// More than one message and more than text, on real Pi: questions and their answers, files there and back, and what is left of
// them afterwards.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { artifactText, openStream, rpc, sendText, textMessage } from "../support/e2e-http.ts";
import { vanished } from "../support/e2e-processes.ts";
import { call } from "../support/e2e-script.ts";
import { openStage, type Stage, serve, type Workspace } from "../support/e2e-stage.ts";
import type { PiProcess } from "../support/pi-process.ts";

const ASKS = call("a2a_ask_caller", { question: "Which branch?" });
const NOTE = { raw: Buffer.from("a note").toString("base64"), filename: "note.txt" };

describe("a conversation of two Pi sessions", () => {
  let stage: Stage;
  let served: Workspace;
  let calling: Workspace;
  let server: PiProcess;
  let caller: PiProcess;
  let url: string;

  before(async () => {
    stage = openStage();
    served = stage.workspace("served");
    calling = stage.workspace("calling", { "words.txt": "hello there\n" });
    [server, caller] = await Promise.all([stage.session(served), stage.session(calling)]);
    url = await serve(server);
  });

  after(() => stage.close());

  it("is asked by the child, answered by the caller's model, and the same task completes (S15, C13, C27)", async () => {
    const ask = call("a2a_call", { agent: url, message: `say I must know more\n${ASKS}` });
    const { results } = await caller.prompt(`${ask}\nanswer context`);
    const [question = "", reply = ""] = results.map(({ text }) => text);
    assert.match(question, /· input-required\]\nWhich branch\?/);
    const [, taskId, contextId] = /\(task (task-[0-9a-f]{16}), context (ctx-[0-9a-f]{16})\)/.exec(question) ?? [];
    assert.match(reply, new RegExp(`^\\[A2A → \\S+ · context ${contextId} · completed\\]`));
    // One conversation: the child sees its first order and the answer, no more.
    assert.match(reply, /\[user message 1\][\s\S]*a2a_ask_caller[\s\S]*\[user message 2\][\s\S]*\n\ncontext$/);
    const { result } = await rpc(url, "GetTask", { id: taskId });
    assert.equal(result?.status.state, "TASK_STATE_COMPLETED");

    const again = call("a2a_call", { agent: url, context_id: contextId, message: "what did I ask first?" });
    const third = await caller.prompt(again);
    assert.match(third.results[0]?.text ?? "", /You asked first: say I must know more/);
  });

  it("may be asked by a reply with the mark, and answered by the person (C13)", async () => {
    const asked = (await caller.command(`/a2a-send ${url} say [INPUT_REQUIRED] Which tag?`)).join("\n");
    assert.match(asked, /input-required\]\nWhich tag\?\n/);
    const answer = /Answer with (\/a2a-send \S+ --context \S+) <answer>/.exec(asked)?.[1];
    assert.ok(answer, asked);
    assert.match((await caller.command(`${answer} v2`)).join("\n"), /completed\]\n[\s\S]*\bv2\ntask task-/);
  });

  it("takes a file there and another back, and leaves none behind in the workspace (W13, C37)", async () => {
    const shout = call("bash", { command: "tr a-z A-Z < .a2a-inbox/*/words.txt > shout.txt" });
    const message = `${shout}\n${call("a2a_attach", { path: "shout.txt", name: "../shouted.txt" })}\nsay done`;
    const { results } = await caller.prompt(call("a2a_call", { agent: url, message, files: ["words.txt"] }));
    const text = results[0]?.text ?? "";
    const path = /\ndone\n\[file shouted\.txt \(text\/plain, 12 bytes\) saved as (.*)\]/.exec(text)?.[1] ?? "";
    assert.ok(path.startsWith(join(stage.root, "agent", "a2a_files", "task-")), text);
    assert.equal(readFileSync(path, "utf8"), "HELLO THERE\n");
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(served.path), ["shout.txt"]);
  });

  it("sends no file from outside of the caller's workspace", async () => {
    const path = join(stage.root, "agent", "settings.json");
    const { results } = await caller.prompt(call("a2a_call", { agent: url, message: "say hi", files: [path] }));
    assert.equal(results[0]?.failed, true);
    assert.match(results[0]?.text ?? "", /lies outside of the workspace/);
  });

  it("keeps files while a task waits for an answer, and removes them when it is cancelled instead", async () => {
    const task = await askWithFile(url);
    assert.equal(readFileSync(served.file(`.a2a-inbox/${task}/note.txt`), "utf8"), "a note");
    await rpc(url, "CancelTask", { id: task });
    await vanished(served.file(".a2a-inbox"));
  });

  it("keeps the files of a task that waits for an answer over a restart, and removes them when it ends", async () => {
    const folder = stage.workspace("quitting");
    const session = await stage.session(folder);
    const taskId = await askWithFile(await serve(session));
    assert.deepEqual(readdirSync(folder.path), [".a2a-inbox"]);
    assert.equal((await session.stop()).code, 0);
    assert.deepEqual(readdirSync(folder.path), [".a2a-inbox"]);
    const next = await stage.session(folder);
    const url = await serve(next);
    const canceled = await rpc(url, "CancelTask", { id: taskId });
    assert.equal((canceled.result as { status?: { state?: string } }).status?.state, "TASK_STATE_CANCELED");
    assert.equal((await next.stop()).code, 0);
    assert.deepEqual(readdirSync(folder.path), []);
  });

  it("is not worked on twice when a message comes again after its connection was lost (S17) [send-resend-attaches]", async () => {
    const work = call("bash", { command: "echo run >> runs.txt; until [ -e go.txt ]; do sleep 0.1; done" });
    const params = textMessage(`${work}\nsay finished`);
    const lost = openStream(url, "SendStreamingMessage", params);
    await lost.frames.next(
      "the tool",
      ({ statusUpdate }) => statusUpdate?.status.message?.parts[0]?.text !== undefined,
    );
    lost.close();
    const again = openStream(url, "SendStreamingMessage", params);
    const { task } = await again.frames.next("the task", (frame) => frame.task !== undefined);
    served.write("go.txt");
    await again.frames.next("its end", ({ statusUpdate }) => statusUpdate?.status.state === "TASK_STATE_COMPLETED");
    const { result } = await rpc(url, "GetTask", { id: task?.id });
    assert.equal(artifactText(result ?? {}), "finished");
    assert.equal(served.read("runs.txt"), "run\n");
  });

  it("lends the callers of a session no tool that it was started without", async () => {
    const session = await stage.session(stage.workspace("limited"), { args: ["--tools", "read"] });
    const about = artifactText(await sendText(await serve(session), "about"));
    assert.match(about, /; tools a2a_ask_caller, a2a_attach, read$/);
  });
});

/** A task with a file that asks its caller; its id. */
async function askWithFile(url: string): Promise<string> {
  const message = { messageId: "m-file", role: "ROLE_USER", parts: [{ text: ASKS }, NOTE] };
  const { result } = await rpc(url, "SendMessage", { message });
  assert.equal(result?.task?.status.state, "TASK_STATE_INPUT_REQUIRED");
  return result.task.id;
}
