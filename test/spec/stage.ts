// Tasks in each of the states that a requirement speaks of, on a server whose runs the test drives.

import assert from "node:assert/strict";
import { type CallReply, call, textParams, type WireError, type WireTask } from "../support/a2a-calls.ts";
import type { TestServer } from "../support/a2a-server.ts";
import type { RunHandle } from "../support/scripted-runner.ts";

export interface StagedTask {
  readonly task: WireTask;
  readonly run: RunHandle;
}

/** How a driven run may end its task. */
export type Ending = "complete" | "fail" | "reject" | "cancel";

export function sendTo(
  { port }: TestServer,
  text = "hello",
  message: object = {},
  configuration?: object,
): Promise<CallReply> {
  return call(port, "SendMessage", textParams(text, message, configuration));
}

/** A detached task whose run says that it works. */
export async function workingTask(server: TestServer, message: object = {}): Promise<StagedTask> {
  const sent = sendTo(server, "work", message, { returnImmediately: true });
  const run = await server.runner.next();
  run.working();
  return { task: taskOf(await sent), run };
}

/** A task that waits for an answer to "which one?". */
export async function askingTask(server: TestServer, message: object = {}): Promise<StagedTask> {
  const sent = sendTo(server, "start", message);
  const run = await server.runner.next();
  run.ask("which one?");
  return { task: taskOf(await sent), run };
}

/** A task that has ended, with the artifact `reply` "done" unless it was rejected. */
export async function endedTask(server: TestServer, ending: Ending = "complete", message = {}): Promise<StagedTask> {
  const sent = sendTo(server, "work", message);
  const run = await server.runner.next();
  if (ending !== "reject") run.text("done");
  endRun(run, ending);
  return { task: taskOf(await sent), run };
}

export function endRun(run: RunHandle, ending: Ending): void {
  if (ending === "fail") run.fail("the model gave up");
  else if (ending === "reject") run.reject("not my work");
  else run[ending]();
}

/** The task of another owner, who has no other way in here than the engine. */
export async function foreignTask(server: TestServer): Promise<string> {
  const { taskId, subscription } = await server.engine.submit({
    caller: { key: "peer:other", name: "other" },
    message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "secret work" }] },
    detached: true,
  });
  subscription.close();
  (await server.runner.next()).working();
  return taskId;
}

/** The task of a reply, bare or as the result of a send. */
export function taskOf({ json, text }: Pick<CallReply, "json" | "text">): WireTask {
  const { id, contextId, status, ...rest } = json.result?.task ?? json.result ?? {};
  assert.ok(id !== undefined && contextId !== undefined && status !== undefined, text);
  return { ...rest, id, contextId, status };
}

export async function getTask({ port }: TestServer, id: string, more: object = {}): Promise<WireTask> {
  return taskOf(await call(port, "GetTask", { id, ...more }));
}

export function errorOf({ json, text }: Pick<CallReply, "json" | "text">): WireError {
  assert.ok(json.error !== undefined, text);
  return json.error;
}

/** The paths that a -32602 names. */
export function fieldsOf(reply: Pick<CallReply, "json" | "text">): string[] {
  const error = errorOf(reply);
  assert.equal(error.code, -32602, reply.text);
  return error.data.flatMap(({ fieldViolations }) => fieldViolations ?? []).map(({ field }) => field);
}

export function assertNothingStarted(server: TestServer): void {
  assert.equal(server.engine.stats().tasks, 0, "a task was made");
  assert.equal(server.runner.runs.length, 0, "a run was started");
}

/** Waits for what only the event loop brings about. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
