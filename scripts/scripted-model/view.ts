// What the host hands to a model -> what the scripted model looks at. The one place where the Pi lines differ here: 0.73.1 gives
// system prompt and tools beside the messages, the current line gives both in messages of the role "system".

import type { Api, Context, Message, Model, SimpleStreamOptions } from "@mariozechner/pi-ai";
import type { View } from "./turn.ts";

export function viewOf(model: Model<Api>, context: Context, options: SimpleStreamOptions | undefined): View {
  const { messages } = context;
  const sinceRequest = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
  const notices = messages.flatMap((message) => asSystemNotice(message) ?? []);
  const instructions = [context.systemPrompt ?? "", ...notices.map(({ text }) => text)];
  return {
    requests: messages.filter(({ role }) => role === "user").map(textOf),
    outcomes: sinceRequest.flatMap((message) =>
      message.role === "toolResult" ? [{ tool: message.toolName, text: textOf(message), failed: message.isError }] : [],
    ),
    model: `${model.provider}/${model.id}`,
    thinking: options?.reasoning ?? "off",
    tools: offeredTools(
      (context.tools ?? []).map(({ name }) => name),
      notices,
    ),
    summarizing: instructions.some((text) => /summarization assistant/i.test(text)),
  };
}

interface SystemNotice {
  readonly text: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

function asSystemNotice(message: Message): SystemNotice | undefined {
  const fields: { role: string; toolsAdded?: unknown; toolsRemoved?: unknown } = message;
  if (fields.role !== "system") return undefined;
  return { text: textOf(message), added: namesOf(fields.toolsAdded), removed: namesOf(fields.toolsRemoved) };
}

function offeredTools(first: readonly string[], notices: readonly SystemNotice[]): string[] {
  const names = new Set(first);
  for (const { added, removed } of notices) {
    for (const name of removed) names.delete(name);
    for (const name of added) names.add(name);
  }
  return [...names];
}

function namesOf(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) =>
    typeof tool === "object" && tool !== null && "name" in tool && typeof tool.name === "string" ? [tool.name] : [],
  );
}

function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
