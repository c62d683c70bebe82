import assert from "node:assert/strict";
import { type AssistantMessage, fauxAssistantMessage, fauxText, fauxThinking, fauxToolCall } from "@mariozechner/pi-ai";
import type { RunOutput } from "../../../../src/core/ports.ts";
import { oneLine, settle } from "../../../../src/pi/child/outcome.ts";

describe("the outcome of a run", () => {
  it("is the text of the last message, trimmed, its text blocks together", () => {
    const last = fauxAssistantMessage([fauxThinking("hm"), fauxText("\nfirst "), fauxText("second\n")]);
    const { outcome, outputs } = settle([fauxAssistantMessage("earlier"), last]);
    assert.deepEqual(outcome, { kind: "completed" });
    assert.deepEqual(texts(outputs), ["first second"]);
  });

  it("is one whole artifact that ends the live text", () => {
    const [output] = settle([fauxAssistantMessage("done")]).outputs;
    assert.deepEqual(output, {
      kind: "artifact",
      artifact: { artifactId: "reply", name: "reply", parts: [{ text: "done" }] },
      append: false,
      lastChunk: true,
    });
  });

  it("is the last text of this run when the last message has none", () => {
    const withTool = fauxAssistantMessage([fauxText("the answer"), fauxToolCall("x", {})], { stopReason: "toolUse" });
    const { outcome, outputs } = settle([withTool, fauxAssistantMessage([])]);
    assert.deepEqual(outcome, { kind: "completed" });
    assert.deepEqual(texts(outputs), ["the answer"]);
  });

  it("is complete with a note when there was work but no word", () => {
    const { outcome, outputs } = settle([fauxAssistantMessage([])]);
    assert.deepEqual(outcome, { kind: "completed", note: "The agent finished without a text reply." });
    assert.deepEqual(outputs, []);
  });

  it("is a failure when the model said nothing at all (S02)", () => {
    assert.deepEqual(settle([]), {
      outputs: [],
      outcome: { kind: "failed", reason: "the session ended without an answer of the model" },
    });
  });

  it("is a failure with the provider's first line, also when there is no text of it (S02)", () => {
    const reasons = ['429 slow down\n{"trace": 1}', "", undefined, `${"x".repeat(400)}`].map((errorMessage) => {
      const message = fauxAssistantMessage([], { stopReason: "error" });
      const { outcome } = settle([errorMessage === undefined ? message : { ...message, errorMessage }]);
      return outcome.kind === "failed" ? outcome.reason : outcome.kind;
    });
    assert.deepEqual(reasons, [
      "the model call failed: 429 slow down",
      "the model call failed: the provider gave no reason",
      "the model call failed: the provider gave no reason",
      `the model call failed: ${"x".repeat(300)}...`,
    ]);
  });

  it("keeps what an erroneous message had said as a partial reply (S04)", () => {
    const { outcome, outputs } = settle([failing("half an ans")]);
    assert.equal(outcome.kind, "failed");
    assert.deepEqual(texts(outputs), ["half an ans"]);
    assert.deepEqual(metadata(outputs), [{ partial: true }]);
  });

  it("is a failure when the output limit left the last message without text, whatever was said before (S03)", () => {
    const { outcome, outputs } = settle([
      fauxAssistantMessage("on my way"),
      fauxAssistantMessage([], { stopReason: "length" }),
    ]);
    assert.deepEqual(outcome, {
      kind: "failed",
      reason: "no usable reply was produced: the model reached its output limit",
    });
    assert.deepEqual(metadata(outputs), [{ partial: true }]);
  });

  it("is complete and marked when the output limit cut the last message (S03)", () => {
    const { outcome, outputs } = settle([fauxAssistantMessage("the begin", { stopReason: "length" })]);
    assert.deepEqual(outcome, { kind: "completed" });
    assert.deepEqual(metadata(outputs), [{ truncated: true }]);
    assert.deepEqual(outputs.at(-1), { kind: "metadata", metadata: { truncated: true } });
  });

  it("is marked, or a failure without text, when a tool ended the run (S04)", () => {
    const silent = fauxAssistantMessage([fauxToolCall("x", {})], { stopReason: "toolUse" });
    const speaking = fauxAssistantMessage([fauxText("so far"), fauxToolCall("x", {})], { stopReason: "toolUse" });
    assert.equal(settle([silent]).outcome.kind, "failed");
    assert.deepEqual(metadata(settle([speaking]).outputs), [{ truncated: true }]);
  });

  it("is a failure when something inside the session stopped the run", () => {
    const { outcome } = settle([fauxAssistantMessage("half", { stopReason: "aborted" })]);
    assert.deepEqual(outcome, { kind: "failed", reason: "the run was stopped inside the session" });
  });
});

describe("the outcome of a run that asks", () => {
  const question = (text: string) => ({ kind: "input-required", question: [{ text }] });

  it("is the question of the tool, several as one, whatever else was said", () => {
    const withCall = fauxAssistantMessage([fauxText("I need to know."), fauxToolCall("a2a_ask_caller", {})], {
      stopReason: "toolUse",
    });
    assert.deepEqual(settle([withCall], ["Which branch?", "Which tag?"]), {
      outputs: [],
      outcome: question("Which branch?\n\nWhich tag?"),
    });
  });

  it("is the reply that begins with the mark, without it [agent-asks]", () => {
    for (const stopReason of ["stop", "length"] as const) {
      const reply = fauxAssistantMessage("\n[INPUT_REQUIRED]  Which branch?\n", { stopReason });
      assert.deepEqual(settle([reply]), { outputs: [], outcome: question("Which branch?") });
    }
  });

  it("says that there is a question when the mark stands alone", () => {
    const { outcome } = settle([fauxAssistantMessage("[INPUT_REQUIRED]")]);
    assert.deepEqual(outcome, question("The agent needs an answer, but did not say to what."));
  });

  it("is no question when the mark stands elsewhere, or the run failed", () => {
    assert.equal(settle([fauxAssistantMessage("I said [INPUT_REQUIRED] x")]).outcome.kind, "completed");
    assert.equal(settle([failing("[INPUT_REQUIRED] Which")]).outcome.kind, "failed");
  });

  it("is no question when an older message had the mark and the last one was cut before its text", () => {
    const older = fauxAssistantMessage("[INPUT_REQUIRED] x");
    assert.equal(settle([older, fauxAssistantMessage([], { stopReason: "length" })]).outcome.kind, "failed");
  });
});

describe("oneLine", () => {
  it("takes the first line that says something and folds its blanks", () => {
    assert.equal(oneLine("\n  \n a \t b\nc"), "a b");
    assert.equal(oneLine(""), "");
  });
});

function failing(text: string): AssistantMessage {
  return fauxAssistantMessage(text, { stopReason: "error", errorMessage: "connection lost" });
}

function texts(outputs: readonly RunOutput[]): string[] {
  return outputs.flatMap((output) =>
    output.kind === "artifact" ? output.artifact.parts.map((part) => ("text" in part ? part.text : "")) : [],
  );
}

function metadata(outputs: readonly RunOutput[]) {
  return outputs.flatMap((output) => (output.kind === "artifact" ? [output.artifact.metadata] : []));
}
