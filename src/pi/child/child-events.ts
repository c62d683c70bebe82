// A child's events -> what its caller sees while it works, and the assistant messages that decide the outcome. Pure apart from
// what it has seen so far. Names of tools only, never their arguments: those hold the workspace's content.
//
// Live text is one artifact, `reply`. The first piece of each assistant message replaces what was there and the rest of the
// message is appended, so a reader that applies both always holds the text of the newest message; ./outcome.ts replaces it
// once more with the final text as a whole. The end of a message is a piece with `lastChunk`, for whoever holds text back. A message that begins as a question to the caller is not streamed: it becomes the
// question of the task, without its mark.

import type { AssistantMessage } from "@mariozechner/pi-ai";
import type { AgentSession } from "@mariozechner/pi-coding-agent";
import type { RunOutput } from "../../core/ports.ts";
import { ASKS } from "./outcome.ts";

/** The events of the agent itself: the session passes them on only after other extensions had their time. */
export type ChildEvent = Parameters<Parameters<AgentSession["agent"]["subscribe"]>[0]>[0];

export interface EventReader {
  read(event: ChildEvent): RunOutput | undefined;
  /** The assistant messages of the run so far, oldest first. */
  messages(): readonly AssistantMessage[];
}

export function createEventReader(): EventReader {
  const messages: AssistantMessage[] = [];
  let live = createLiveText();
  const keep = (message: { role: string } | AssistantMessage): void => {
    if (!isAssistant(message) || messages.includes(message)) return;
    messages.push(message);
  };
  return {
    messages: () => messages,
    read(event) {
      switch (event.type) {
        case "message_start":
          if (event.message.role === "assistant") live = createLiveText();
          return undefined;
        case "message_update":
          return event.assistantMessageEvent.type === "text_delta"
            ? live.add(event.assistantMessageEvent.delta)
            : undefined;
        case "message_end":
          keep(event.message);
          return isAssistant(event.message) ? live.end() : undefined;
        case "agent_end":
          // A run that failed before its first piece has its message only here.
          event.messages.forEach(keep);
          return undefined;
        case "tool_execution_start":
          return { kind: "working", note: toolNote(event.toolName) };
        default:
          return undefined;
      }
    },
  };
}

/** The text of one message as pieces; its beginning is held back while it may still turn out to be a question's mark. */
function createLiveText() {
  let head = "";
  let phase: "deciding" | "streaming" | "asking" = "deciding";
  let pieces = 0;
  const piece = (text: string): RunOutput | undefined => (text === "" ? undefined : livePiece(text, pieces++ > 0));
  return {
    add(delta: string): RunOutput | undefined {
      if (phase === "asking") return undefined;
      if (phase === "streaming") return piece(delta);
      head += delta;
      const start = head.trimStart();
      if (start.startsWith(ASKS)) phase = "asking";
      if (phase === "asking" || ASKS.startsWith(start)) return undefined;
      phase = "streaming";
      return piece(head);
    },
    end(): RunOutput | undefined {
      const rest = phase === "deciding" ? head : "";
      if (phase === "asking" || (pieces === 0 && rest.trim() === "")) return undefined;
      return livePiece(rest, pieces > 0, true);
    },
  };
}

function livePiece(text: string, append: boolean, lastChunk = false): RunOutput {
  const artifact = { artifactId: "reply", name: "reply", parts: [{ text }] };
  return { kind: "artifact", artifact, append, lastChunk, provisional: true };
}

/** The name comes from the model, which may call a tool that does not exist. */
function toolNote(name: string): string {
  return /^[\w.:-]{1,64}$/.test(name) ? name : "a tool";
}

function isAssistant(message: { role: string }): message is AssistantMessage {
  return message.role === "assistant";
}
