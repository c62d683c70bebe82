// SendMessage, and what both sends have in common (A2A 1.0 §3.1.1, §3.2).

import { must, type Rows, ruled, should } from "../requirement.ts";

export const SEND: Rows = {
  "send-one-member": must("3.1.1", "The result has exactly one member: `task` or `message`."),
  "send-blocking-default": must(
    "3.2.2",
    "Without `returnImmediately` the answer comes when the task has ended, with all its artifacts.",
  ),
  "send-blocking-question": must("3.2.2", "A blocking send also ends when the task asks for input or for a login."),
  "send-every-ending": must("3.1.1", "COMPLETED, FAILED, CANCELED and REJECTED tasks are results, not errors."),
  "send-return-immediately": must(
    "3.2.2",
    "With `returnImmediately` the answer comes as soon as the task exists, SUBMITTED or WORKING.",
  ),
  "send-return-immediately-message": must("3.2.2", "`returnImmediately` changes nothing for a Message reply."),
  "send-message-reply": must(
    "3.1.1",
    "A Message reply is ROLE_AGENT with messageId, parts and contextId, and without taskId.",
  ),
  "send-task-stays-task": must(
    "3.1.1",
    "Once a task is shown the answer is that task; what the agent says last becomes its artifact.",
  ),
  "send-outputs-in-artifacts": should("3.7", "A finished task carries its reply in an artifact, and nowhere else."),
  "send-disconnect": ruled("3.5.2", "A lost connection ends neither the task of a blocking send nor its window."),
  "send-keep-alive": ruled(
    "9.4.1",
    "A send that lasts sends headers after 2 s and a blank every 3 s before the JSON, unbuffered.",
  ),
  "send-same-message-id": ruled(
    "3.3.1",
    "After a delivered reply the same messageId is a new message with a task of its own.",
  ),
  "send-resend-attaches": ruled(
    "3.3.1",
    "The same message while its task is at work, or its answer was lost, leads to that task.",
  ),
  "send-message-checked": must(
    "3.1.1",
    "A message without id, role or parts is -32602 with the field, and starts nothing.",
  ),
  "send-part-one-content": must(
    "4.1.6",
    "A part with none or several of text, raw, url, data is -32602, and starts nothing.",
  ),
  "send-user-role": ruled("4.1.5", "A message of a request is ROLE_USER; another role is -32602."),
  "send-blank-text": ruled(
    "3.1.1",
    "A message of nothing but blank text is -32602; blank text beside another content is taken.",
  ),
  "send-any-media-type": ruled("3.1.1", "Files of every media type are taken and reach the agent whole."),
  "send-part-order": must(
    "4.1.4",
    "The parts of a message reach the agent in their order, with type, name and metadata.",
  ),
  "send-output-modes": ruled(
    "3.2.2",
    "`acceptedOutputModes` is read and is no reason to refuse: the agent answers with text.",
  ),
  "send-history-length": must(
    "3.2.4",
    "`configuration.historyLength` holds for the task of the answer, also for the one that opens a stream.",
  ),
  "send-metadata": must("3.2.1", "`metadata` of the request and of the message may hold any JSON object."),
  "send-text-unchanged": must(
    "5.5",
    "Text of every script, with control characters and lone surrogates, goes through unchanged.",
  ),
  "send-windows": ruled(
    "own",
    "The reply window bounds blocking and streaming sends, the supervision window detached ones.",
  ),
  "send-question-window": ruled(
    "own",
    "A question stops the window of its task, and expires after the supervision window.",
  ),
  "send-busy": ruled(
    "own",
    "Without a free slot a send is -32053 with HTTP 503 at once, names what holds the slots, and starts nothing.",
  ),
  "send-one-pool": ruled("own", "Blocking and detached tasks share one pool of slots."),
  "send-context-line": ruled(
    "own",
    "One task per context runs at a time, in order; a failed one does not hold up the next.",
  ),
  "send-context-line-cap": ruled("own", "At most 8 messages wait in one context; the next one is busy."),
  "send-waiting-ack": ruled("own", "A detached send that waits behind its context is acknowledged as SUBMITTED."),
  "send-not-stored": ruled("own", "A message that could not be stored is refused, and starts nothing."),
};
