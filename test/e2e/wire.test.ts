// A plain client with no part of this package on its side: what curl or an SDK sees of a Pi session.

import assert from "node:assert/strict";
import { artifactText, openStream, rpc, sendText, textMessage } from "../support/e2e-http.ts";
import { appeared, gone } from "../support/e2e-processes.ts";
import { hold } from "../support/e2e-script.ts";
import { openStage, type Stage, serve, type Workspace } from "../support/e2e-stage.ts";
import type { PiProcess } from "../support/pi-process.ts";

describe("a plain A2A client", () => {
  let stage: Stage;
  let folder: Workspace;
  let server: PiProcess;
  let url: string;

  before(async () => {
    stage = openStage();
    folder = stage.workspace("served");
    server = await stage.session(folder);
    url = await serve(server);
  });

  after(() => stage.close());

  it("gets the text of a stream before the child's tool has ended", async () => {
    const message = textMessage(`say I will look\n${hold("shell-stream", "go-stream")}\nsay that is all`);
    const { frames, close } = openStream(url, "SendStreamingMessage", message);
    await appeared(folder.file("shell-stream"));
    await frames.next("live text", ({ artifactUpdate }) =>
      artifactUpdate === undefined ? false : /look/.test(artifactText({ artifacts: [artifactUpdate.artifact] })),
    );
    // Only now may the tool end.
    folder.write("go-stream");
    const done = await frames.next("the end", ({ statusUpdate }) => /COMPLETED/.test(statusUpdate?.status.state ?? ""));
    const { result } = await rpc(url, "GetTask", { id: done.statusUpdate?.taskId });
    assert.equal(result === undefined ? "" : artifactText(result), "that is all");
    close();
  });

  it("opens a stream with the task, sends only updates of it, and ends after the terminal state (T01)", async () => {
    const { frames } = openStream(url, "SendStreamingMessage", textMessage("say one two three"));
    await frames.next("the end", ({ statusUpdate }) => /COMPLETED/.test(statusUpdate?.status.state ?? ""));
    const kinds = frames.all.map((frame) => Object.keys(frame).join());
    assert.equal(kinds[0], "task");
    assert.ok(
      kinds.slice(1).every((kind) => kind === "statusUpdate" || kind === "artifactUpdate"),
      kinds.join(" "),
    );
    await assert.rejects(
      frames.next("a frame after the end", () => true, { from: frames.all.length }),
      /the stream ended/,
    );
  });

  it("stops the child's running tool with CancelTask, and the conversation goes on (S07)", async () => {
    const configuration = { returnImmediately: true };
    const { id, contextId } = await sendText(url, hold("shell-cancel"), { configuration });
    const shell = Number(await appeared(folder.file("shell-cancel")));
    const { result } = await rpc(url, "CancelTask", { id });
    assert.equal(result?.status.state, "TASK_STATE_CANCELED");
    await gone([shell]);
    const next = await sendText(url, "context", { contextId });
    assert.equal(next.status.state, "TASK_STATE_COMPLETED");
    assert.match(artifactText(next), /shell-cancel[\s\S]*\[user message 2\]/);
  });

  it("has its slash commands read as plain text", async () => {
    for (const text of ["/a2a-server stop", "/quit", "!echo run > ran"]) {
      const task = await sendText(url, text);
      assert.equal(task.status.state, "TASK_STATE_COMPLETED");
      assert.ok(artifactText(task).includes(text), artifactText(task));
    }
    await assert.rejects(async () => folder.read("ran"), /ENOENT/);
    assert.match((await server.command("/a2a-server status")).join(), /listening/);
  });

  it("is framed as another agent in the child's context", async () => {
    const task = await sendText(url, "context");
    assert.match(artifactText(task), /^\[user message 1\] .*agent[\s\S]*\n\ncontext/);
  });

  it("reaches a child with the host's model and thinking level", async () => {
    await server.request("set_thinking_level", { level: "high" });
    assert.match(
      artifactText(await sendText(url, "about")),
      /^model scripted\/agent; thinking high; tools .*bash.*read/,
    );
  });
});
