// SendStreamingMessage, SubscribeToTask and their frames (A2A 1.0 §3.1.2, §3.1.6, §3.5.2, §9.4.2).

import { must, type Rows, ruled, should } from "../requirement.ts";

export const STREAM: Rows = {
  "stream-content-type": must("9.4.2", "A stream is 200 text/event-stream."),
  "stream-frame": must("9.4.2", "Each event is one `data:` line with a JSON-RPC reply under the id of the request."),
  "stream-one-member": must("3.2.3", "Each frame has exactly one of task, message, statusUpdate, artifactUpdate."),
  "stream-message-only": must("3.1.2", "A Message reply is the only frame of its stream."),
  "stream-task-first": must("3.1.2", "A task stream begins with the task; after it come updates only."),
  "stream-ends-terminal": must("3.1.2", "A stream closes after the terminal status, which is its last frame."),
  "stream-real-state": must(
    "3.1.2",
    "A stream shows the states that the task really had, also those from before its first byte.",
  ),
  "stream-question-ends": ruled("3.1.2", "The stream of a send closes at INPUT_REQUIRED."),
  "stream-login-open": should("7.6.1", "The stream of a send stays open at AUTH_REQUIRED."),
  "stream-status-fields": must(
    "4.2.1",
    "A statusUpdate has taskId, contextId, status and perhaps metadata; neither `final` nor `kind`.",
  ),
  "stream-artifact-fields": must(
    "4.2.2",
    "An artifactUpdate has taskId, contextId, artifact, append, lastChunk and perhaps metadata; no `index`.",
  ),
  "stream-artifact-merge": must(
    "4.2.2",
    "append adds parts to the artifact of the same id, else it is replaced; GetTask shows the merged artifact.",
  ),
  "stream-no-empty-parts": must("4.1.7", "No frame has an artifact or message without parts."),
  "stream-message-ids": must("4.1.4", "No two messages of a stream share a messageId."),
  "stream-same-order": must("3.5.2", "All open streams of a task carry the same events in the same order."),
  "stream-independent": must("3.5.2", "Closing one stream touches neither the task nor its other streams."),
  "stream-early-error": must(
    "9.4.2",
    "An error before the first frame is a plain application/json reply with HTTP 200.",
  ),
  "stream-late-error": ruled(
    "9.4.2",
    "An error after the first frame is an event `error` with a JSON-RPC error under the id of the request.",
  ),
  "stream-heartbeat": ruled("9.4.2", "After 3 s without a byte a comment is sent; it never stands inside an event."),
  "stream-unbuffered": ruled(
    "9.4.2",
    "Headers leave at acceptance, with no-store and X-Accel-Buffering: no, and no event waits for the next.",
  ),
  "stream-metadata": ruled("4.2.1", "Metadata of the task travels with the status that follows it."),
  "stream-slow-reader": ruled(
    "own",
    "A reader that falls 4 MiB behind is ended with an error; it slows neither the task nor other readers.",
  ),
  "stream-limit": ruled("own", "A caller may have 16 streams open; the next is -32051 with HTTP 429."),
  "stream-live-text": ruled(
    "own",
    "The agent's text streams as artifact `reply`: the first piece of each message replaces, the others append.",
  ),
  "stream-tool-notes": ruled("own", "Tools show as WORKING with a message that names the tool, never its arguments."),
  "stream-not-offered": must("3.3.4", "With `capabilities.streaming` false both stream methods are -32004."),
  "subscribe-snapshot": must(
    "3.1.6",
    "A subscription begins with the whole task as it stands, artifacts so far included.",
  ),
  "subscribe-no-gap": must(
    "3.1.6",
    "No event is lost between the snapshot and the updates, also around the end of the task.",
  ),
  "subscribe-ends-terminal": must(
    "3.1.6",
    "A subscription carries every later event and closes after the terminal status.",
  ),
  "subscribe-question-open": ruled("3.1.6", "A subscription stays open through INPUT_REQUIRED until the task ends."),
  "subscribe-ended": must("3.1.6", "Subscribing to a task that has ended is -32004."),
  "subscribe-unknown": must("3.1.6", "Subscribing to an unknown task is -32001."),
};
