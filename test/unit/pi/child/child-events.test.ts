import assert from "node:assert/strict";
import { type AssistantMessage, fauxAssistantMessage } from "@mariozechner/pi-ai";
import type { RunOutput } from "../../../../src/core/ports.ts";
import { type ChildEvent, createEventReader } from "../../../../src/pi/child/child-events.ts";

describe("a child's events", () => {
  it("become pieces of one artifact: the first of each message replaces, the rest is appended", () => {
    const outputs = readAll([start(), delta("a"), delta("b"), start(), delta("c"), delta("d")]);
    assert.deepEqual(outputs, [piece("a", false), piece("b", true), piece("c", false), piece("d", true)]);
  });

  it("become nothing for empty pieces, so the next one still replaces", () => {
    assert.deepEqual(readAll([start(), delta(""), delta("a")]), [piece("a", false)]);
  });

  it("become nothing while a message may be a question, and nothing when it is one", () => {
    assert.deepEqual(readAll([start(), delta("\n[INPUT"), delta("_REQUIRED] Which"), delta(" branch?"), end()]), []);
    assert.deepEqual(readAll([start(), delta("[IN"), delta("DEX] a"), delta("b")]), [
      piece("[INDEX] a", false),
      piece("b", true),
    ]);
  });

  it("become the held beginning of a message that ends there", () => {
    assert.deepEqual(readAll([start(), delta("["), end(), start(), delta(" \n"), end()]), [piece("[", false, true)]);
  });

  it("say when a message has ended, with nothing more to add", () => {
    assert.deepEqual(readAll([start(), delta("a"), end()]), [piece("a", false), piece("", true, true)]);
  });

  it("of other roles do not touch the text of the assistant", () => {
    const user = { role: "user", content: "x", timestamp: 0 } as const;
    const outputs = readAll([start(), delta("a"), { type: "message_start", message: user }, delta("b")]);
    assert.deepEqual(outputs, [piece("a", false), piece("b", true)]);
  });

  it("become notes with the tool's name, never its arguments; a name that is none is not passed on", () => {
    const notes = ["bash", "mcp__x__y", "a b", "x".repeat(65), "\u001b[31m"].map((toolName) =>
      readAll([{ type: "tool_execution_start", toolCallId: "1", toolName, args: { secret: 1 } }]),
    );
    assert.deepEqual(notes.flat(), [
      { kind: "working", note: "bash" },
      { kind: "working", note: "mcp__x__y" },
      ...Array.from({ length: 3 }, () => ({ kind: "working", note: "a tool" })),
    ]);
  });

  it("leave the assistant messages of the run, each once, also one that only the end of the run tells", () => {
    const reader = createEventReader();
    const [first, second] = [fauxAssistantMessage("1"), fauxAssistantMessage("2")];
    reader.read({ type: "message_end", message: first });
    reader.read({ type: "message_end", message: { role: "user", content: "x", timestamp: 0 } });
    reader.read({ type: "agent_end", messages: [first, second] });
    assert.deepEqual(reader.messages(), [first, second]);
  });
});

function readAll(events: readonly ChildEvent[]): RunOutput[] {
  const reader = createEventReader();
  return events.flatMap((event) => reader.read(event) ?? []);
}

const MESSAGE: AssistantMessage = fauxAssistantMessage("");

function start(): ChildEvent {
  return { type: "message_start", message: MESSAGE };
}

function end(): ChildEvent {
  return { type: "message_end", message: MESSAGE };
}

function delta(text: string): ChildEvent {
  const assistantMessageEvent = { type: "text_delta", contentIndex: 0, delta: text, partial: MESSAGE } as const;
  return { type: "message_update", message: MESSAGE, assistantMessageEvent };
}

function piece(text: string, append: boolean, lastChunk = false): RunOutput {
  const artifact = { artifactId: "reply", name: "reply", parts: [{ text }] };
  return { kind: "artifact", artifact, append, lastChunk, provisional: true };
}
