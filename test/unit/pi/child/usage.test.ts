import assert from "node:assert/strict";
import type { AssistantMessage } from "@mariozechner/pi-ai";
import { fauxAssistantMessage } from "@mariozechner/pi-ai";
import { usageMetadata, usageOf } from "../../../../src/pi/child/usage.ts";

const OWN = "urn:pi-a2a:ext:v1";

function message(input: number, output: number, total: number): AssistantMessage {
  const said = fauxAssistantMessage("x");
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total };
  return {
    ...said,
    provider: "house",
    model: `model-${output}`,
    usage: { input, output, cacheRead: 5, cacheWrite: 1, totalTokens: 0, cost },
  };
}

describe("the usage of runs", () => {
  it("is the sum over a run's messages, with the last model and the run's time", () => {
    assert.deepEqual(usageOf([message(10, 2, 0.5), message(20, 3, 0.25)], 1500), {
      runs: 1,
      inputTokens: 30,
      outputTokens: 5,
      cacheReadTokens: 10,
      cacheWriteTokens: 2,
      cost: 0.75,
      seconds: 1.5,
      model: "house/model-3",
    });
  });

  it("names no model when none answered, and takes providers that report nothing", () => {
    assert.deepEqual(Object.keys(usageOf([], 0)).includes("model"), false);
    const bare = { ...message(1, 1, 1), usage: undefined } as unknown as AssistantMessage;
    const odd = { ...message(1, 1, 1), usage: { input: Number.NaN, output: -4 } } as unknown as AssistantMessage;
    const { inputTokens, outputTokens, cost } = usageOf([bare, odd], 10);
    assert.deepEqual([inputTokens, outputTokens, cost], [0, 0, 0]);
  });

  it("adds up over the runs of a task, and keeps what else stands under our uri", () => {
    const first = usageMetadata({ other: 1, [OWN]: { chain: ["a"] } }, usageOf([message(10, 2, 0.1)], 1000));
    const second = usageMetadata(first, usageOf([message(1, 1, 0.2)], 500));
    assert.deepEqual(second, {
      [OWN]: {
        chain: ["a"],
        usage: {
          runs: 2,
          inputTokens: 11,
          outputTokens: 3,
          cacheReadTokens: 10,
          cacheWriteTokens: 2,
          cost: 0.3,
          seconds: 1.5,
          model: "house/model-1",
        },
      },
    });
  });

  it("starts anew where the metadata holds something else", () => {
    for (const before of [undefined, {}, { [OWN]: "x" }, { [OWN]: { usage: [1] } }]) {
      assert.deepEqual(usageMetadata(before, usageOf([], 0)), usageMetadata(undefined, usageOf([], 0)));
    }
  });
});
