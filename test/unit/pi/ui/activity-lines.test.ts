import assert from "node:assert/strict";
import type { TaskEvent } from "../../../../src/engine/task-event.ts";
import { activityOf, dispatchLabel, type TaskTrail } from "../../../../src/pi/ui/activity-lines.ts";
import { agentMessage, artifact, status, textMessage } from "../../../support/builders.ts";

const BASE = { taskId: "task-1b4f8d1c30d54819", contextId: "ctx-1", at: 1000 };
const OWNER = { key: "local", name: "ip:127.0.0.1" };
const TRAIL: TaskTrail = { startedAt: 1000, peer: "ip:127.0.0.1", text: "", shown: true };

function submitted(text: string): TaskEvent {
  return {
    ...BASE,
    kind: "submitted",
    owner: OWNER,
    detached: false,
    status: status("TASK_STATE_SUBMITTED"),
    message: textMessage(text),
  };
}

function piece(text: string, append: boolean): TaskEvent {
  return {
    ...BASE,
    kind: "artifact",
    artifact: artifact({ parts: [{ text }] }),
    append,
    lastChunk: false,
    provisional: true,
  };
}

describe("activity lines", () => {
  it("announce an arrival with the caller and a preview", () => {
    const { activity } = activityOf(submitted("Find all\nTODO comments"), undefined);
    assert.equal(activity.notes[0]?.lines[0], "[A2A inbound] dispatch from ip:127.0.0.1: Find all TODO comments");
    assert.equal(activity.toast?.text, activity.notes[0]?.lines[0]);
  });

  it("show what the caller says to its task later, without a toast", () => {
    const more: TaskEvent = { ...BASE, kind: "message", message: textMessage("in blue,\nplease") };
    const { activity, trail } = activityOf(more, TRAIL);
    assert.equal(
      activity.notes[0]?.lines[0],
      "[A2A inbound] more for A2A dispatch a2a-1b4 from ip:127.0.0.1: in blue, please",
    );
    assert.equal(activity.toast, undefined);
    assert.equal(trail, TRAIL);
    assert.match(activityOf(more, undefined).activity.notes[0]?.lines[0] ?? "", /from its caller: in blue/);
  });

  it("show a tool by the note of its status, without a toast", () => {
    const working = status("TASK_STATE_WORKING", { message: agentMessage({ parts: [{ text: "bash" }] }) });
    const { activity } = activityOf({ ...BASE, kind: "status", status: working }, TRAIL);
    assert.equal(activity.notes[0]?.lines[0], "[A2A inbound] ⚙ bash");
    assert.equal(activity.toast, undefined);
  });

  it("show what the agent said before its next message, once", () => {
    const first = activityOf(piece("I will ", false), TRAIL);
    const second = activityOf(piece("look.", true), first.trail);
    const third = activityOf(piece("The answer", false), second.trail);
    assert.deepEqual(first.activity.notes, []);
    assert.deepEqual(second.activity.notes, []);
    assert.equal(third.activity.notes[0]?.lines[0], "[A2A inbound] ✎ I will look.");
  });

  it("show what the agent said before the tool it calls, and not again afterwards", () => {
    const said = activityOf(piece("I will search.", false), TRAIL);
    const working = status("TASK_STATE_WORKING", { message: agentMessage({ parts: [{ text: "bash" }] }) });
    const tool = activityOf({ ...BASE, kind: "status", status: working }, said.trail);
    assert.deepEqual(
      tool.activity.notes.map((note) => note.lines[0]),
      ["[A2A inbound] ✎ I will search.", "[A2A inbound] ⚙ bash"],
    );
    assert.deepEqual(activityOf(piece("Found it", false), tool.trail).activity.notes, []);
  });

  it("do not show the final text as a line of its own, only in the completion", () => {
    const live = activityOf(piece("The answer", false), TRAIL);
    const whole: TaskEvent = {
      ...BASE,
      kind: "artifact",
      artifact: artifact({ parts: [{ text: "The answer" }] }),
      append: false,
      lastChunk: true,
      provisional: false,
    };
    const final = activityOf(whole, live.trail);
    assert.deepEqual(final.activity.notes, []);
    const end = activityOf(
      { ...BASE, at: 13_300, kind: "status", status: status("TASK_STATE_COMPLETED") },
      final.trail,
    );
    assert.equal(end.activity.notes[0]?.lines[0], "[A2A inbound] A2A dispatch a2a-1b4 completed (12.3s) — The answer");
    assert.equal(end.trail, undefined);
  });

  it("give the reason of a failure", () => {
    const failed = status("TASK_STATE_FAILED", { message: agentMessage({ parts: [{ text: "model is down" }] }) });
    const { activity } = activityOf({ ...BASE, kind: "status", status: failed }, TRAIL);
    assert.match(activity.notes[0]?.lines[0] ?? "", /failed \(0\.0s\): model is down$/);
    assert.equal(activity.toast?.level, "warning");
  });

  it("let no escape sequence or line break of a peer through", () => {
    const { activity } = activityOf(submitted("ok\u001b[2J\u001b]0;x\u0007\nSYSTEM: run"), undefined);
    assert.equal(activity.notes[0]?.lines.length, 1);
    assert.ok([...(activity.notes[0]?.lines[0] ?? "")].every((char) => char >= " " && char !== "\u007f"));
  });

  it("label a task as a dispatch", () => {
    assert.equal(dispatchLabel("task-1b4f8d1c30d54819"), "a2a-1b4");
  });
});
