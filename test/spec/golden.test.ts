// Holds every method against golden files of its requests and replies, byte for byte, and the golden files against a closed schema
// and against the types of the official SDK.

import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  AgentCard,
  ListTaskPushNotificationConfigsResponse,
  ListTasksResponse,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import { ROOT, readText } from "../arch/tree.ts";
import { asPlayed, type Exchange, expectedText, framesIn, type GoldenFile, type Played, playGolden } from "./golden.ts";
import { shapeFaults } from "./wire-shape.ts";

const FOLDER = "test/wire";
const METHODS = [
  ...["send-message", "send-streaming-message", "get-task", "list-tasks", "cancel-task", "subscribe-to-task"],
  ...["create-task-push-notification-config", "get-task-push-notification-config"],
  ...["list-task-push-notification-configs", "delete-task-push-notification-config", "get-extended-agent-card"],
];

interface Codec {
  fromJSON(value: unknown): unknown;
  toJSON(value: never): unknown;
}

/** What a method's result is, in the words of ./wire-shape.ts and of the SDK. */
const RESULTS: Readonly<Record<string, readonly [shape: string, codec: Codec | undefined]>> = {
  SendMessage: ["SendResult", SendMessageResponse],
  SendStreamingMessage: ["StreamResponse", StreamResponse],
  GetTask: ["Task", Task],
  ListTasks: ["TaskList", ListTasksResponse],
  CancelTask: ["Task", Task],
  SubscribeToTask: ["StreamResponse", StreamResponse],
  CreateTaskPushNotificationConfig: ["PushConfig", TaskPushNotificationConfig],
  GetTaskPushNotificationConfig: ["PushConfig", TaskPushNotificationConfig],
  ListTaskPushNotificationConfigs: ["PushConfigList", ListTaskPushNotificationConfigsResponse],
  DeleteTaskPushNotificationConfig: ["Empty", undefined],
  GetExtendedAgentCard: ["AgentCard", AgentCard],
};

const OLDER: readonly (readonly [name: string, assertResult: (result: unknown, method: string) => void])[] = [
  ["legacy-v03.json", assertV03],
  ["legacy-pi.json", assertPi],
];

describe("the wire", () => {
  const all = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith(".json"));
  const names = all.filter((name) => !name.startsWith("legacy-"));

  it("[wire-golden] has a golden file for each method", () => {
    const missing = METHODS.filter((method) => !names.includes(`${method}.json`));
    assert.deepEqual(missing, []);
  });

  for (const name of names) {
    describe(name, () => {
      let played: Played[];
      before(async () => {
        played = await playFile(name);
      });

      it("[wire-golden] is answered by these bytes", () => {
        for (const { exchange, text } of played) assert.equal(text, expectedText(exchange), exchange.what);
      });

      it("[method-results] holds results of the right shape, as the SDK reads and writes them", () => {
        for (const each of played) assertResults(each);
      });
    });
  }

  for (const [name, assertResult] of OLDER) {
    describe(name, () => {
      it("[wire-golden] [ver-legacy-wire] is answered by these bytes, in the shape of its dialect", async () => {
        for (const each of await playFile(name)) {
          assert.equal(each.text, expectedText(each.exchange), each.exchange.what);
          for (const result of resultsOf(each)) assertResult(result, methodOf(each.exchange));
        }
      });
    });
  }
});

function assertV03(result: unknown, method: string): void {
  const { kind } = (result ?? {}) as { kind?: string };
  if (/^(message|tasks)\/(send|stream|get|cancel|resubscribe)$/.test(method)) assert.notEqual(kind, undefined, method);
  if (kind !== undefined) assert.deepEqual(shapeFaults(`0.3 ${kind}`, result), [], method);
}

function assertPi(result: unknown, method: string): void {
  const { status, statusUpdate } = (result ?? {}) as { status?: object; statusUpdate?: object };
  if (status !== undefined) assert.deepEqual(shapeFaults("Task", result), [], method);
  if (statusUpdate !== undefined) assert.deepEqual(shapeFaults("Task", statusUpdate), [], method);
}

async function playFile(name: string): Promise<Played[]> {
  const path = `${FOLDER}/${name}`;
  const file: GoldenFile = JSON.parse(readText(path));
  const played = await playGolden(file);
  if (process.env.WRITE_WIRE === undefined) return played;
  const exchanges = file.exchanges.map((exchange) => asPlayed(exchange, played));
  writeFileSync(join(ROOT, path), `${JSON.stringify({ ...file, exchanges }, null, 2)}\n`);
  return played;
}

function assertResults(each: Played): void {
  const { what } = each.exchange;
  const [shape, codec] = RESULTS[methodOf(each.exchange)] ?? ["no method", undefined];
  for (const result of resultsOf(each)) {
    assert.deepEqual(shapeFaults(shape, result), [], what);
    if (codec === undefined) continue;
    assert.deepEqual(codec.toJSON(codec.fromJSON(result) as never), withoutEmpty(result), what);
  }
}

/** The SDK leaves out what is empty, also where it is required. */
function withoutEmpty(result: unknown): object {
  const isEmpty = (value: unknown): boolean =>
    value === "" || value === 0 || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(result as object).filter(([, value]) => !isEmpty(value)));
}

function methodOf({ request }: Exchange): string {
  return String((request as { method?: unknown }).method);
}

function resultsOf({ text, isStream }: Played): unknown[] {
  const replies = isStream ? framesIn(text) : [JSON.parse(text)];
  return (replies as { result?: unknown }[]).flatMap(({ result }) => (result === undefined ? [] : [result]));
}
