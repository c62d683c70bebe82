// Attacks by number.

import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { likelyJson } from "../../support/wire-arbitraries.ts";
import type { Attack } from "../support/attack.ts";
import { requestText, rpcText, sendText } from "../support/attacker.ts";
import { type Random, SEED } from "../support/random.ts";

const METHODS = ["SendMessage", "SendStreamingMessage", "GetTask", "CancelTask", "SubscribeToTask", "ListTasks", "x"];

export const FLOODS: readonly Attack[] = [
  {
    name: "a flood of requests, one after the other",
    async act(client, random) {
      for (let sent = 1; sent <= 20 && !client.gone(); sent++) {
        await client.send(shortRequest(random));
        await client.replies(sent);
      }
    },
    meets: "200",
  },
  {
    name: "forty pipelined requests each",
    async act(client, random) {
      await client.send(Array.from({ length: 40 }, () => shortRequest(random)).join(""));
      await client.replies(40);
    },
    meets: "200",
  },
  {
    name: "pipelined and dropped unread",
    async act(client, random) {
      const bodies = [sendText("work 2000"), sendText("work 2000", "SendStreamingMessage"), sendText("say 20000")];
      await client.send(Array.from({ length: 50 }, () => requestText(random.pick(bodies))).join(""));
      await pause(random.int(100));
      client.drop(random.pick(["reset", "close"]));
    },
  },
  {
    name: "calls with random params",
    async act(client, random) {
      let sent = 0;
      for (const body of randomCalls(client.index, random)) {
        await client.send(requestText(JSON.stringify(body)));
        sent += 1;
        await Promise.race([client.replies(sent), pause(2000)]);
      }
    },
    meets: "200 -32602",
  },
];

function shortRequest(random: Random): string {
  const bodies = [sendText("say 10"), rpcText("GetTask", { id: "task-1" }), rpcText("x"), "{", "[]", undefined];
  return requestText(random.pick(bodies));
}

function randomCalls(index: number, random: Random): unknown[] {
  const pieces = fc.sample(fc.tuple(fc.constantFrom(...METHODS), likelyJson, likelyJson), {
    numRuns: 15,
    seed: SEED + index,
  });
  return pieces.map(([method, first, second]) =>
    random.pick([
      { jsonrpc: "2.0", id: 1, method, params: first },
      { jsonrpc: "2.0", id: 1, method, params: { message: first, configuration: second } },
      { jsonrpc: "2.0", id: 1, method, params: { message: { messageId: "f", role: "ROLE_USER", parts: [first] } } },
      { jsonrpc: "2.0", id: first, method, params: { id: second } },
      first,
    ]),
  );
}
