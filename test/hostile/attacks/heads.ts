// Attacks by what stands where the head of a request should be.

import { setTimeout as pause } from "node:timers/promises";
import type { Attack } from "../support/attack.ts";
import { requestText } from "../support/attacker.ts";

export const HEADS: readonly Attack[] = [
  {
    name: "garbage instead of HTTP",
    async act(client, random) {
      await client.send(random.int(3) === 0 ? random.bytes(1 + random.int(4_000)) : random.pick(HELLOS));
      if (random.int(2) === 0) client.socket.end();
      await Promise.race([client.closed, pause(1000)]);
    },
    meets: "400 -32600",
  },
  {
    name: "garbage behind a good request",
    async act(client, random) {
      await client.send(requestText(undefined));
      await client.replies(1);
      await client.send(random.bytes(1 + random.int(1_000)));
      await Promise.race([client.closed, pause(1000)]);
    },
    meets: "400 -32600",
  },
  {
    name: "huge heads",
    async act(client, random) {
      await Promise.race([client.send(random.pick(HUGE)), client.closed]);
      await Promise.race([client.closed, pause(1000)]);
    },
    meets: "431 -32600",
  },
  {
    name: "open and forget",
    limits: "quick",
    async act(client) {
      // Some say nothing at all, some make a request and stay, some do not read the answers.
      if (client.index % 3 === 1) await client.send(requestText(undefined));
      if (client.index % 3 === 2) {
        client.socket.pause();
        await client.send(requestText(undefined).repeat(3));
        await pause(1000);
        client.socket.resume();
      }
      await client.closed;
    },
    meets: "408 -32600",
  },
  {
    name: "more connections than are taken",
    share: 2.5,
    async act(client, random) {
      await client.send(requestText(undefined));
      await Promise.race([client.closed, pause(300 + random.int(500))]);
    },
    meets: "200",
  },
];

const HELLOS: readonly (string | Buffer)[] = [
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
  "SSH-2.0-OpenSSH_9.6\r\n",
  Buffer.from("16030100c8010000c40303", "hex"),
  "GET / HTTP/9.9\r\n\r\n",
  "GET /\r\n\r\n",
  "\r\n".repeat(5_000),
  "\0".repeat(5_000),
  "GET http://[::1 HTTP/1.1\r\nHost: [\r\n\r\n",
  "CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: x\r\n\r\n",
  "GET / HTTP/1.1\r\n Host: 127.0.0.1\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: example.com\r\n\r\n",
  "GET / HTTP/1.1\nHost: 127.0.0.1\n\n",
  "POST / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n{}",
  "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "GET /%00%ff%zz?A2A-Version=%zz&A2A-Version=1.0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
];

const BIG = "x".repeat(1024 * 1024);

// Made once: a client that is slow itself would only meet the time limit of a head.
const HUGE: readonly string[] = [
  requestText(undefined, { "X-Big": BIG }),
  requestText(undefined, { [BIG]: "y" }),
  requestText(undefined, {}, `GET /${BIG}`),
  `${BIG}${BIG}`,
  requestText(undefined, { "X-Over": "x".repeat(17_000) }),
  requestText(undefined, headers(20_000)),
  requestText(undefined, headers(1_500)),
  requestText("{}", { Host: `127.0.0.1:${"1".repeat(15_000)}`, Origin: "http://127.0.0.1" }),
  requestText("{}", { "Content-Type": `application/json;${";".repeat(8_000)}`, "A2A-Version": "1.".repeat(2_000) }),
];

function headers(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`X${n}`, ""]));
}
