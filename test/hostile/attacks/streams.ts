// Attacks by how answers are read: not at all, or not to their end.

import { setTimeout as pause } from "node:timers/promises";
import type { Attack } from "../support/attack.ts";
import { requestText, rpcText, sendText } from "../support/attacker.ts";

export const STREAMS: readonly Attack[] = [
  {
    name: "disconnected in mid-send",
    async act(client, random) {
      await client.send(requestText(sendText(random.pick(["say 10", "say 20000", "work 5000"]))));
      // Before the reply, while the blanks of the keep-alive come, or in the middle of the reply.
      await pause(random.int(800));
      client.drop(random.pick(["reset", "close"]));
    },
    meets: "no reply",
  },
  {
    name: "streams dropped by hundreds (T06)",
    async act(client, random) {
      for (let tries = 1; tries <= 500 && !client.gone(); tries++) {
        await client.send(requestText(sendText("work 2000", "SendStreamingMessage")));
        if ((await client.replies(tries)) && client.statuses().at(-1) === 200) break;
        await pause(20 + random.int(100));
      }
      await client.until("TASK_STATE_WORKING");
      await pause(random.int(20));
      client.drop(random.pick(["reset", "close"]));
    },
    meets: "200",
  },
  {
    name: "half-closed after the request",
    async act(client, random) {
      await client.send(requestText(sendText("work 2000", random.pick(["SendMessage", "SendStreamingMessage"]))));
      client.socket.end();
      await client.closed;
    },
  },
  {
    name: "subscribed and cancelled in any order",
    async act(client, random) {
      await client.send(requestText(sendText("work 8000", "SendMessage", { returnImmediately: true })));
      await client.replies(1);
      const methods = ["GetTask", "CancelTask", "SubscribeToTask", "SubscribeToTask"];
      for (let sent = 0; sent < 10 && !client.gone(); sent++) {
        const id = random.int(4) === 0 ? "task-0000000000000bad" : (client.taskId() ?? "none");
        await client.send(requestText(rpcText(random.pick(methods), { id })));
        // A stream that is open holds up what follows it on its connection.
        await Promise.race([client.replies(2 + sent), pause(random.int(30))]);
      }
      await client.send(requestText(rpcText("CancelTask", { id: client.taskId() ?? "none" })));
      await pause(random.int(100));
    },
    meets: "200 -32004",
  },
  {
    name: "a hundred answers of 1 MB each, asked for at once and not read",
    share: 0.1,
    async act(client) {
      await client.send(requestText(sendText("hold 1000000", "SendMessage", { returnImmediately: true })));
      await client.replies(1);
      client.socket.pause();
      const id = client.taskId() ?? "none";
      await client.send(requestText(rpcText("GetTask", { id })).repeat(100));
      await pause(2000);
      await client.send(requestText(rpcText("CancelTask", { id })));
    },
    meets: "200",
  },
];
