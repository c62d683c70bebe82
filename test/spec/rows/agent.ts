// What callers see of the Pi agent behind the server (A2A 1.0 §3.4, §3.7, §4.1.6).

import { type Rows, ruled } from "../requirement.ts";

export const AGENT: Rows = {
  "agent-files-in": ruled(
    "4.1.6",
    "Files of a message are stored in the workspace under safe names, named to the agent, and removed with the task.",
  ),
  "agent-files-lost": ruled("4.1.6", "A task whose files could not be stored fails; no agent runs without them."),
  "agent-files-out": ruled("4.1.6", "Files that the agent attaches become whole artifacts of their own."),
  "agent-asks": ruled(
    "3.4.3",
    "A question of the agent, by its tool or by a reply that begins with [INPUT_REQUIRED], is INPUT_REQUIRED.",
  ),
  "agent-answer": ruled("3.4.3", "The answer goes on in the same conversation of the agent."),
  "agent-conversation": ruled("3.4.1", "A new task in a context begins with what was said in that context before."),
  "agent-reply": ruled("own", "The reply is the last text after retries, compaction and recovery have settled."),
  "agent-partial": ruled(
    "own",
    "A run that fails or is ended early keeps its text so far as an artifact that is marked as partial.",
  ),
  "agent-truncated": ruled(
    "own",
    "A reply that the model's limit cut is marked as truncated, and a failure when it has no text.",
  ),
};
