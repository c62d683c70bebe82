// The limits of the settings, as a caller meets them.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { rpc, sendText, textMessage } from "../support/e2e-http.ts";
import { appeared } from "../support/e2e-processes.ts";
import { hold } from "../support/e2e-script.ts";
import { openStage, type Stage, serve, type Workspace } from "../support/e2e-stage.ts";

describe("the limits of a session that serves", () => {
  let stage: Stage;
  let folder: Workspace;
  beforeEach(() => {
    stage = openStage();
    folder = stage.workspace("served");
  });
  afterEach(() => stage.close());

  const start = async (server: object): Promise<string> => {
    writeFileSync(join(stage.root, "agent", "settings.json"), JSON.stringify({ a2a: { server } }));
    return serve(await stage.session(folder));
  };

  it("are its turns in one context, and its requests a minute (G11)", async () => {
    const url = await start({ maxPingpongTurns: 1, rateLimitPerMin: 3 });
    const { contextId } = await sendText(url, "say one");
    const { status } = await sendText(url, "say two", { contextId });
    assert.equal(status.state, "TASK_STATE_REJECTED");
    assert.match(status.message?.parts[0]?.text ?? "", /exceeded 1 turns/);
    await rpc(url, "ListTasks", {});
    const { error } = await rpc(url, "ListTasks", {});
    assert.equal(error?.code, -32051);
    assert.match(error.message, /more than 3 requests within a minute/);
  });

  it("are its slots for detached tasks (G11)", async () => {
    const url = await start({ maxConcurrent: 2, maxDetached: 1 });
    const configuration = { returnImmediately: true };
    await sendText(url, hold("shell", "go"), { configuration });
    await appeared(folder.file("shell"));
    const { error } = await rpc(url, "SendMessage", textMessage("say no", { configuration }));
    assert.equal(error?.code, -32053);
    assert.match(error.message, /all 1 slots for detached tasks are taken/);
    assert.equal((await sendText(url, "say yes")).status.state, "TASK_STATE_COMPLETED");
    folder.write("go");
  });
});
