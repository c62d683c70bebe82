// The audit of two real sessions that share an agent folder: who asked whom for what, and how it ended, without the secret in it.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { rpc, textMessage } from "../support/e2e-http.ts";
import { appeared } from "../support/e2e-processes.ts";
import { call } from "../support/e2e-script.ts";
import { openStage, type Stage, serve } from "../support/e2e-stage.ts";
import { alnum } from "../support/fake-keys.ts";
import type { PiProcess } from "../support/pi-process.ts";

type Line = Readonly<Record<string, unknown>>;

const SECRET = `ghp_${alnum(36)}`;

describe("the audit of two sessions", () => {
  let stage: Stage;
  let server: PiProcess;
  let caller: PiProcess;
  let url: string;
  let path: string;

  before(async () => {
    stage = openStage();
    path = join(stage.root, "agent", "a2a_audit.jsonl");
    [server, caller] = await Promise.all([
      stage.session(stage.workspace("served")),
      stage.session(stage.workspace("calling")),
    ]);
    url = await serve(server);
  });
  after(() => stage.close());

  const linesIn = (text: string): Line[] => text.split("\n").map((line) => JSON.parse(line));
  /** The lines once so many of them match. */
  const linesWith = async (count: number, isWanted: (line: Line) => boolean): Promise<Line[]> => {
    const where = (text: string): boolean => linesIn(text).filter(isWanted).length >= count;
    return linesIn(await appeared(path, { where })).filter(isWanted);
  };

  it("has both ends of a call, joined by task and trace, and its secrets masked", async () => {
    const message = `say the herons are counted; the key is ${SECRET}`;
    await caller.prompt(call("a2a_call", { agent: url, message }));
    const lines = await linesWith(4, ({ event }) => event === "arrival" || event === "outcome");
    const said = lines.map(({ direction, event, state = "" }) => `${direction} ${event} ${state}`).sort();
    assert.deepEqual(said, [
      "in arrival ",
      "in outcome TASK_STATE_COMPLETED",
      "out arrival ",
      "out outcome TASK_STATE_COMPLETED",
    ]);
    assert.equal(new Set(lines.map(({ traceparent }) => traceparent)).size, 1);
    const tasks = lines.map(({ taskId }) => taskId).filter((taskId) => taskId !== undefined);
    assert.equal(tasks.length, 3);
    assert.equal(new Set(tasks).size, 1);
    for (const { preview } of lines) assert.match(String(preview), /the herons are counted/);
  });

  it("masks what a caller sends that takes no secrets out itself", async () => {
    await rpc(url, "SendMessage", textMessage(`say done with ${SECRET}`));
    const [arrival] = await linesWith(1, ({ preview }) => /^say done with/.test(String(preview)));
    assert.equal(arrival?.preview, "say done with [redacted: github token]");
    assert.doesNotMatch(await appeared(path), /ghp_/);
  });

  it("has what was refused, is its owner's alone, and stands in /a2a-status", async () => {
    await rpc(url, "GetTask", { id: "task-of-nobody" });
    const [refused] = await linesWith(1, ({ event }) => event === "refused");
    assert.deepEqual(
      [refused?.method, refused?.error, refused?.taskId],
      ["GetTask", "TASK_NOT_FOUND", "task-of-nobody"],
    );
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.match((await server.command("/a2a-status")).join("\n"), new RegExp(`^Audit: ${path}$`, "m"));
  });
});
