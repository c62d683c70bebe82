// Clients of older dialects at a real session, with the setting that lets them in or not.

import assert from "node:assert/strict";
import { ClientFactory } from "a2a-sdk-v03/client";
import { artifactText, rpc, textMessage } from "../support/e2e-http.ts";
import { openStage, type Stage, serve } from "../support/e2e-stage.ts";

describe("older dialects at a session", () => {
  let stage: Stage;
  before(() => {
    stage = openStage();
  });
  after(() => stage.close());

  it("are served by default: @a2a-js/sdk 0.3.14 gets a reply, streamed as well", async () => {
    const pi = await stage.session(stage.workspace("served"), { env: { A2A_PORT: "0" } });
    const client = await new ClientFactory().createFromUrl(await serve(pi));
    const request = (text: string) => ({
      message: {
        ...({ kind: "message", messageId: text, role: "user" } as const),
        parts: [{ kind: "text" as const, text }],
      },
    });
    const task = await client.sendMessage(request("say hello old friend"));
    assert.ok(task.kind === "task");
    assert.equal(task.status.state, "completed");
    assert.deepEqual(task.artifacts?.[0]?.parts, [{ kind: "text", text: "hello old friend" }]);
    let text = "";
    for await (const event of client.sendMessageStream(request("say one two three"))) {
      if (event.kind !== "artifact-update") continue;
      const [part] = event.artifact.parts;
      const piece = part?.kind === "text" ? part.text : "";
      text = event.append ? text + piece : piece;
    }
    assert.equal(text, "one two three");
  });

  it("are served to nobody where a2a.server.legacy is false (A2A_LEGACY)", async () => {
    const pi = await stage.session(stage.workspace("pure"), { env: { A2A_PORT: "0", A2A_LEGACY: "false" } });
    const url = await serve(pi);
    const { error } = await rpc(url, "message/send", textMessage("say hello"));
    assert.equal(error?.code, -32601);
    await assert.rejects(new ClientFactory().createFromUrl(url));
    const { result } = await rpc(url, "SendMessage", textMessage("say hello"));
    assert.equal(artifactText(result?.task ?? {}), "hello");
  });
});
