// The assistant message that a stream fills, and its usage. Four characters count as a token.

import type { Api, AssistantMessage, Context, Model } from "@mariozechner/pi-ai";

/** The assistant message before its first token. */
export function emptyMessage(model: Model<Api>, context: Context): AssistantMessage {
  const input = tokens(context.systemPrompt ?? "") + tokens(JSON.stringify(context.messages));
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: { input, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: input, cost },
    stopReason: "stop",
    timestamp: Date.now(),
  };
}

/** Completes the usage from what was really sent. */
export function count({ usage, content }: AssistantMessage, model: Model<Api>): void {
  usage.output = content.reduce(
    (sum, part) => sum + tokens(part.type === "text" ? part.text : JSON.stringify(part)),
    0,
  );
  usage.totalTokens = usage.input + usage.output;
  usage.cost.input = (usage.input * model.cost.input) / 1e6;
  usage.cost.output = (usage.output * model.cost.output) / 1e6;
  usage.cost.total = usage.cost.input + usage.cost.output;
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}
