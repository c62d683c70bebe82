// What a webhook gets from a real Pi session, and that its end waits for no receiver.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { artifactText, rpc, sendText } from "../support/e2e-http.ts";
import { appeared } from "../support/e2e-processes.ts";
import { hold } from "../support/e2e-script.ts";
import { openStage, type Stage, serve, type Workspace } from "../support/e2e-stage.ts";
import { type HttpPeer, startHttpPeer } from "../support/http-peer.ts";
import type { PiProcess } from "../support/pi-process.ts";

describe("a webhook of a task", () => {
  let stage: Stage;
  let folder: Workspace;
  let server: PiProcess;
  let receiver: HttpPeer;
  let url: string;

  before(async () => {
    receiver = await startHttpPeer((_request, response) => void response.writeHead(200).end());
    stage = openStage();
    folder = stage.workspace("served");
    const env = { A2A_PORT: "0", A2A_PUSH_ALLOW_INSECURE: "true", A2A_PUSH_SECRET: "key" };
    server = await stage.session(folder, { env });
    url = await serve(server);
  });

  after(async () => {
    await stage.close();
    await receiver.stop();
  });

  it("gets every state and the whole reply, signed with the operator's secret (P02, P03)", async () => {
    const configuration = { returnImmediately: true, taskPushNotificationConfig: { url: receiver.origin } };
    const { id } = await sendText(url, "say one two three", { configuration });
    let seen = 0;
    const bodies: string[] = [];
    while (!bodies.some((body) => body.includes("TASK_STATE_COMPLETED"))) {
      seen += 1;
      const { body, headers } = await receiver.arrived(seen);
      bodies.push(body);
      assert.equal(headers["x-a2a-signature"], `sha256=${createHmac("sha256", "key").update(body).digest("hex")}`);
    }
    const updates = bodies.map((body) => JSON.parse(body));
    const states = updates.flatMap(({ statusUpdate }) => statusUpdate?.status.state ?? []);
    assert.equal(states[0], "TASK_STATE_SUBMITTED");
    assert.equal(states.at(-1), "TASK_STATE_COMPLETED");
    const artifacts = updates.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact ?? []);
    assert.equal(artifactText({ artifacts }), "one two three");
    assert.ok(updates.every((update) => (update.statusUpdate ?? update.artifactUpdate).taskId === id));
  });

  it("does not hold up the end of the session when it hangs", async () => {
    receiver.answer = () => undefined;
    const configuration = { returnImmediately: true };
    const { id: taskId } = await sendText(url, hold("shell"), { configuration });
    await appeared(folder.file("shell"));
    const made = await rpc(url, "CreateTaskPushNotificationConfig", { taskId, url: receiver.origin });
    assert.equal(made.error, undefined);
    const before = receiver.requests.length;
    const { code, elapsedMs } = await server.stop();
    assert.equal(code, 0);
    assert.ok(elapsedMs < 5000, `it took ${elapsedMs} ms`);
    assert.equal(receiver.requests.length, before + 1);
    assert.match(receiver.requests.at(-1)?.body ?? "", /TASK_STATE_FAILED/);
  });
});
