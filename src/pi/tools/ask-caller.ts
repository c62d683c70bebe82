// Owns the tool a2a_ask_caller: a child asks the agent that gave it its task. The run ends with the question; the answer goes on
// in the same conversation.

import type { ToolDefinition } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { A2aError } from "../../core/platform/errors.ts";

export const ASK_CALLER = "a2a_ask_caller";

const parameters = Type.Object({
  question: Type.String({ description: "What you need to know, complete in itself: the caller sees nothing else." }),
});

/** `ask` hears each question; the run must end with it. */
export function askCallerTool(ask: (question: string) => void): ToolDefinition<typeof parameters, undefined> {
  return {
    name: ASK_CALLER,
    label: "A2A ask caller",
    description:
      "Ask the remote agent that gave you this task. Your turn ends with the question; its answer comes as the next message.",
    promptSnippet: "a2a_ask_caller: ask the remote agent that gave you this task, and wait for its answer",
    promptGuidelines: [
      "Use a2a_ask_caller only when you cannot go on without an answer of the remote agent that gave you the task.",
    ],
    parameters,
    async execute(_id, { question }) {
      const text = question.trim();
      if (text === "") throw new A2aError("INVALID_PARAMS", "the question is empty");
      ask(text);
      return {
        content: [{ type: "text", text: "The question was sent. The answer comes as the next message." }],
        details: undefined,
        terminate: true,
      };
    },
  };
}
