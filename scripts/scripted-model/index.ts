// The scripted model: a Pi extension that registers `scripted/agent`, a model that needs no key and no network. For the demo and
// the end-to-end tests: `pi -e scripts/scripted-model/index.ts --model scripted/agent`. It must never open a socket or a file.
//
// It reads the last user message and the tool results after it, and answers by these rules. Directives stand on a line of their own:
//
//   call <tool> <json>   makes that tool call; several lines are made one after another, each after the result of the one before.
//                        After the last one it answers with what the tools said, unless one of the lines below follows.
//   answer <text>        answers the question that the last result holds, by the call that the result names
//   say <text>           says the text; before a `call` it is said in the same turn as the call
//   slow <n> <ms>        says n pieces, one every ms milliseconds
//   fail <message>       ends the turn with stop reason "error" and that message
//   length               ends the turn with stop reason "length"
//   context              answers with the text of every user message it sees, oldest first
//   about                answers with the model, the thinking level and the tools it was offered
//
// A message without directives is read as a sentence:
//
//   ask the agent at <url> <request>   (or: ask the <name> agent <request>) calls a2a_call and reports the reply
//   which files hold TODO comments     (or: find all TODO comments, each with an optional `in <folder>`) searches with bash, reads one
//                                      of the files found, and answers with the list it got
//   what did I ask first?              answers from the first user message it sees
//   anything else                      is repeated: "You said: ..."

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { streamAnswer } from "./stream.ts";

/** Prices are made up, so that code that adds up costs has something to add. Dollars per million tokens. */
const PRICES = { input: 1, output: 5, cacheRead: 0, cacheWrite: 0 };

export default function scriptedModel(pi: ExtensionAPI): void {
  pi.registerProvider("scripted", {
    name: "Scripted",
    // Never contacted: Pi wants an address and a key for every provider with models. Port 9 is the discard service.
    baseUrl: "http://127.0.0.1:9",
    apiKey: "none",
    api: "scripted",
    models: [
      {
        id: "agent",
        name: "Scripted agent",
        reasoning: true,
        input: ["text"],
        cost: PRICES,
        contextWindow: 64_000,
        maxTokens: 4_096,
      },
    ],
    streamSimple: streamAnswer,
  });
}
