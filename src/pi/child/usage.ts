// Owns what runs of child sessions cost: tokens, money, model and time, as the task's metadata under our own extension uri says it
// to the task's owner, and summed over a server's life. Figures are the provider's as Pi reports them.

import type { AssistantMessage } from "@mariozechner/pi-ai";
import { isObject } from "../../core/platform/json.ts";
import { OWN_EXTENSION } from "../../core/protocol/extension-uris.ts";
import type { JsonObject } from "../../core/protocol/types.ts";

export interface Usage {
  readonly runs: number;
  /** Of the prompt, without what came from the provider's cache. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** US dollars by Pi's price list; 0 where that knows no price. */
  readonly cost: number;
  /** From the start of the child's work to its end. */
  readonly seconds: number;
}

/** What one run took. */
export interface RunUsage extends Usage {
  /** `provider/id` of the last model that answered; absent when none did. */
  readonly model?: string;
}

export const NO_USAGE: Usage = {
  runs: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cost: 0,
  seconds: 0,
};

export function usageOf(messages: readonly AssistantMessage[], ms: number): RunUsage {
  const spent = messages.map(spentOn).reduce(addUsage, { ...NO_USAGE, runs: 1, seconds: ms / 1000 });
  const last = messages.at(-1);
  return last === undefined ? spent : { ...spent, model: `${last.provider}/${last.model}` };
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    runs: a.runs + b.runs,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    cost: a.cost + b.cost,
    seconds: a.seconds + b.seconds,
  };
}

/** The task's metadata with `run` added to what its earlier runs took; what else stands under our uri stays. */
export function usageMetadata(before: JsonObject | undefined, run: RunUsage): JsonObject {
  const own = before?.[OWN_EXTENSION];
  const known = isObject(own) ? own : {};
  const { model, ...spent } = run;
  const sum = addUsage(readUsage(known.usage), spent);
  const rounded = { ...sum, cost: round(sum.cost, 6), seconds: round(sum.seconds, 3) };
  return { [OWN_EXTENSION]: { ...known, usage: model === undefined ? rounded : { ...rounded, model } } };
}

function spentOn({ usage }: AssistantMessage): Usage {
  return {
    ...NO_USAGE,
    inputTokens: count(usage?.input),
    outputTokens: count(usage?.output),
    cacheReadTokens: count(usage?.cacheRead),
    cacheWriteTokens: count(usage?.cacheWrite),
    cost: count(usage?.cost?.total),
  };
}

function readUsage(value: unknown): Usage {
  const fields = isObject(value) ? value : {};
  return {
    runs: count(fields.runs),
    inputTokens: count(fields.inputTokens),
    outputTokens: count(fields.outputTokens),
    cacheReadTokens: count(fields.cacheReadTokens),
    cacheWriteTokens: count(fields.cacheWriteTokens),
    cost: count(fields.cost),
    seconds: count(fields.seconds),
  };
}

/** Extensions bring providers of their own, which may report nothing. */
function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
