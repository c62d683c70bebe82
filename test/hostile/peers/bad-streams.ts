// Peers with a good card that are bad at streaming.

import { setTimeout as pause } from "node:timers/promises";
import { sendError, sendResult } from "../../support/http-peer.ts";
import {
  type Asked,
  artifactUpdate,
  type BadPeer,
  CUTS,
  cutAt,
  drip,
  frame,
  openEvents,
  pump,
  statusUpdate,
  WORKING,
} from "../support/bad-peer.ts";

const MB = 1024 * 1024;
const SHORT = { send: 4_000 };
const DONE = "TASK_STATE_COMPLETED";
const LONG = "x".repeat(MB);

type StreamScript = (asked: Asked) => void;

function streaming(name: string, script: StreamScript, more: Partial<BadPeer> & Pick<BadPeer, "ends">): BadPeer {
  const gone = ({ request, response }: Asked): void => sendError(request, response, -32001, "no such task");
  const methods = { SendStreamingMessage: script, SubscribeToTask: gone, GetTask: gone, ...more.methods };
  return { name, kind: "call", streaming: true, ...more, methods };
}

/** Streams the task and then `next` for ever. */
function endless(next: (asked: Asked, n: number) => string | undefined): StreamScript {
  return (asked) => {
    const events = openEvents(asked);
    events.write(frame(asked, WORKING));
    pump(events, (n) => next(asked, n));
  };
}

export const BAD_STREAMS: readonly BadPeer[] = [
  streaming(
    "a line without end (C30)",
    endless((_asked, n) => (n === 0 ? "data: " : LONG)),
    { calls: 10, ends: ["PEER_BAD_REPLY"], maxSentMb: 48 },
  ),
  streaming(
    "an event of endless lines (C30)",
    endless(() => `data: ${"x".repeat(1000)}\n`.repeat(60)),
    { calls: 10, ends: ["PEER_BAD_REPLY"], maxSentMb: 48 },
  ),
  streaming(
    "text without end",
    endless((asked) =>
      frame(asked, artifactUpdate({ artifactId: "a", parts: [{ text: "x".repeat(60_000) }] }, { append: true })),
    ),
    { calls: 5, ends: ["PEER_BAD_REPLY"], maxSentMb: 48 },
  ),
  streaming(
    "notes without end",
    endless((asked, n) =>
      frame(
        asked,
        statusUpdate("TASK_STATE_WORKING", {
          message: { messageId: `${n}`, role: "ROLE_AGENT", parts: [{ text: "x".repeat(60_000) }] },
        }),
      ),
    ),
    { calls: 5, ends: ["PEER_BAD_REPLY"], maxSentMb: 48 },
  ),
  streaming(
    "metadata without end",
    endless((asked, n) =>
      frame(asked, artifactUpdate({ artifactId: `${n}`, parts: [{ text: "x" }], metadata: { LONG } })),
    ),
    { calls: 5, ends: ["PEER_BAD_REPLY"], maxSentMb: 48 },
  ),
  streaming(
    "metadata of parts without end",
    endless((asked, n) =>
      frame(asked, artifactUpdate({ artifactId: `${n}`, parts: [{ text: "x", metadata: { LONG } }] })),
    ),
    { calls: 5, ends: ["PEER_BAD_REPLY"], maxSentMb: 48 },
  ),
  streaming(
    "names without end",
    endless((asked, n) => frame(asked, artifactUpdate({ artifactId: `${n}`, name: LONG, parts: [{ text: "x" }] }))),
    { calls: 5, ends: ["PEER_BAD_REPLY"], maxSentMb: 48 },
  ),
  streaming(
    "metadata of messages without end",
    endless((asked, n) =>
      frame(
        asked,
        statusUpdate("TASK_STATE_WORKING", {
          message: { messageId: `${n}`, role: "ROLE_AGENT", parts: [{ text: `${n}` }], metadata: { LONG } },
        }),
      ),
    ),
    { calls: 5, ends: ["PEER_BAD_REPLY"], maxSentMb: 48 },
  ),
  streaming(
    "events that say nothing, without end",
    endless((asked) => frame(asked, statusUpdate("TASK_STATE_WORKING")).repeat(50)),
    { calls: 5, timeouts: { send: 5_000 }, ends: ["PEER_TIMEOUT"] },
  ),
  streaming(
    "comments without end",
    endless(() => ": ping\n\n".repeat(1000)),
    { calls: 5, timeouts: { send: 5_000 }, ends: ["PEER_TIMEOUT"] },
  ),
  streaming(
    "events of other tasks without end",
    endless((_asked, n) =>
      frame(_asked, { statusUpdate: { taskId: `other-${n}`, contextId: "c", status: { state: DONE } } }),
    ),
    { calls: 5, timeouts: { send: 5_000 }, ends: ["PEER_TIMEOUT"] },
  ),
  streaming(
    "twenty thousand artifacts",
    endless((asked, n) => {
      if (n < 20) return manyArtifacts(asked, n * 1000, 1000);
      return n === 20 ? frame(asked, statusUpdate(DONE)) : undefined;
    }),
    { calls: 3, ends: [DONE] },
  ),
  streaming(
    "artifacts without end",
    endless((asked, n) => frame(asked, artifactUpdate({ artifactId: `${n} ${"x".repeat(1000)}`, parts: [] }))),
    { calls: 3, ends: ["PEER_BAD_REPLY"] },
  ),
  streaming(
    "the whole task over and over",
    endless((asked) => {
      const history = Array.from({ length: 50 }, (_, n) => ({
        messageId: `${n}`,
        role: "ROLE_USER",
        parts: [{ text: "x".repeat(1000) }],
      }));
      return frame(asked, {
        task: { ...WORKING.task, history, artifacts: [{ artifactId: "a", parts: [{ text: "y".repeat(50_000) }] }] },
      });
    }),
    { calls: 5, timeouts: { send: 5_000 }, ends: ["PEER_TIMEOUT"] },
  ),
  streaming(
    "events for somebody else",
    (asked) => openEvents(asked).end(frame(asked, WORKING, "other") + frame(asked, statusUpdate(DONE), "other")),
    { calls: 100, ends: ["PEER_BAD_REPLY"] },
  ),
  streaming("half a frame, then FIN", (asked) => openEvents(asked).end(frame(asked, WORKING).slice(0, 40)), {
    calls: 100,
    ends: ["PEER_BAD_REPLY", "PEER_UNREACHABLE"],
  }),
  streaming("resets and ends at every stage of a stream", cutStream, {
    calls: CUTS,
    methods: {
      SubscribeToTask: cutStream,
      GetTask: ({ request, response }) => sendResult(request, response, { ...WORKING.task, status: { state: DONE } }),
    },
    timeouts: { send: 60_000 },
    ends: ["PEER_BAD_REPLY", "PEER_UNREACHABLE", DONE],
  }),
  streaming(
    "an end after the first event",
    endless(() => undefined),
    { ends: ["PEER_BAD_REPLY", "PEER_ERROR"] },
  ),
  streaming("a stream that goes silent", (asked) => openEvents(asked).write(frame(asked, WORKING)), {
    calls: 100,
    timeouts: { send: 60_000, stream: 3_000 },
    ends: ["PEER_TIMEOUT"],
  }),
  streaming(
    "a stream of one byte a second",
    (asked) => {
      const text = frame(asked, WORKING);
      drip(openEvents(asked), 100, (n) => text[n % text.length]);
    },
    { timeouts: SHORT, ends: ["PEER_TIMEOUT"] },
  ),
  streaming("streams that always end with something new", (asked) => openEvents(asked).end(frame(asked, WORKING)), {
    timeouts: { send: 8_000 },
    methods: {
      SubscribeToTask: (asked) =>
        openEvents(asked).end(frame(asked, WORKING) + frame(asked, statusUpdate("TASK_STATE_WORKING"))),
    },
    ends: ["PEER_TIMEOUT"],
  }),
  streaming("calls that are ended at random moments", patientStream, {
    calls: 100,
    abortWithinMs: 1_500,
    timeouts: { send: 60_000 },
    methods: { CancelTask: cancelSometimes },
    ends: ["CANCELLED", DONE],
  }),
  streaming("a session that ends at a random moment", patientStream, {
    calls: 100,
    closeWithinMs: 300,
    timeouts: { send: 60_000 },
    ends: ["CANCELLED", DONE],
  }),
];

function manyArtifacts(asked: Asked, from: number, count: number): string {
  return Array.from({ length: count }, (_, n) =>
    frame(asked, artifactUpdate({ artifactId: `a-${from + n}`, parts: [{ text: "x" }] })),
  ).join("");
}

/** A good stream that breaks off somewhere, by a reset or by FIN. */
function cutStream(asked: Asked): void {
  const { request, nth } = asked;
  const body =
    frame(asked, WORKING) +
    frame(asked, artifactUpdate({ artifactId: "a", parts: [{ text: "x" }] })) +
    frame(asked, statusUpdate(DONE));
  const whole = `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  cutAt(request.socket, whole, nth);
}

/** A stream that takes up to some seconds for each of its steps. */
function patientStream(asked: Asked): void {
  const steps = [WORKING, artifactUpdate({ artifactId: "a", parts: [{ text: "x" }] }), statusUpdate(DONE)];
  const run = async (): Promise<void> => {
    await pause(asked.random.int(500));
    const events = openEvents(asked);
    for (const step of steps) {
      await pause(asked.random.int(800));
      if (events.destroyed) return;
      events.write(frame(asked, step));
    }
    events.end();
  };
  run().catch(() => asked.response.destroy());
}

/** Confirms a cancel, refuses it, or says nothing. */
function cancelSometimes({ request, response, random }: Asked): void {
  const answer = random.int(3);
  if (answer === 0) sendResult(request, response, { ...WORKING.task, status: { state: "TASK_STATE_CANCELED" } });
  if (answer === 1) sendError(request, response, -32002, "too late");
}
