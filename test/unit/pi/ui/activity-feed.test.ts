import assert from "node:assert/strict";
import type { Engine } from "../../../../src/engine/engine-types.ts";
import type { TaskEvent } from "../../../../src/engine/task-event.ts";
import { type Display, startActivityFeed } from "../../../../src/pi/ui/activity-feed.ts";
import type { Note } from "../../../../src/pi/ui/transcript-notes.ts";
import { CONTEXT_ID, status, TASK_ID, userMessage } from "../../../support/builders.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";

const ARRIVAL = {
  kind: "submitted",
  taskId: TASK_ID,
  contextId: CONTEXT_ID,
  owner: { key: "local", name: "ip:127.0.0.1" },
  message: userMessage(),
  at: 0,
} as unknown as TaskEvent;

/** What a person sees of one arrival under these settings. */
function shown(ui: { transcript: boolean; transcriptInContext: boolean }) {
  const notes: Note[] = [];
  const toasts: string[] = [];
  const display: Display = {
    note: (note) => void notes.push(note),
    toast: (text) => void toasts.push(text),
    status: () => undefined,
  };
  let hear: (event: TaskEvent) => void = () => undefined;
  const engine = {
    running: () => [],
    observe(listener: (event: TaskEvent) => void) {
      hear = listener;
      return () => undefined;
    },
  } as unknown as Engine;
  startActivityFeed(engine, display, () => ui, createFakeClock());
  hear(ARRIVAL);
  return { notes, toasts };
}

describe("activity feed", () => {
  it("shows lines beside the context, and a toast", () => {
    const { notes, toasts } = shown({ transcript: true, transcriptInContext: false });
    assert.deepEqual(
      notes.map(({ inContext }) => inContext),
      [false],
    );
    assert.equal(toasts.length, 1);
  });

  it("lets the model read the lines with ui.transcriptInContext (G11)", () => {
    const { notes } = shown({ transcript: true, transcriptInContext: true });
    assert.deepEqual(
      notes.map(({ inContext }) => inContext),
      [true],
    );
  });

  it("leaves toasts only without ui.transcript, whatever ui.transcriptInContext says (G11)", () => {
    const { notes, toasts } = shown({ transcript: false, transcriptInContext: true });
    assert.deepEqual([notes.length, toasts.length], [0, 1]);
  });

  it("draws the footer once in a turn, and leaves out what has ended while its run goes on", () => {
    const drawn: (string | undefined)[] = [];
    const silent = { note: () => undefined, toast: () => undefined };
    const clock = createFakeClock();
    let hear: (event: TaskEvent) => void = () => undefined;
    const task = { taskId: TASK_ID, contextId: CONTEXT_ID, owner: { key: "local", name: "alice" } };
    const engine = {
      running: () => [task, { ...task, taskId: "other", owner: { key: "peer:bob", name: "bob" } }],
      observe(listener: (event: TaskEvent) => void) {
        hear = listener;
        return () => undefined;
      },
    } as unknown as Engine;
    const wanted = () => ({ transcript: false, transcriptInContext: false });
    startActivityFeed(engine, { ...silent, status: (text) => drawn.push(text) }, wanted, clock);
    const end = { ...ARRIVAL, kind: "status", status: status("TASK_STATE_CANCELED") } as unknown as TaskEvent;
    for (const event of [ARRIVAL, ARRIVAL]) hear(event);
    clock.flush();
    for (const event of [end, ARRIVAL]) {
      hear(event);
      clock.flush();
    }
    assert.deepEqual(drawn, ["A2A 2 running: alice, bob", "A2A 1 running: bob", "A2A 1 running: bob"]);
  });
});
