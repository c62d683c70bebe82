// Attacks by what is sent as the body of a request, and how.

import { setTimeout as pause } from "node:timers/promises";
import type { Attack } from "../support/attack.ts";
import { type Attacker, requestText, rpcText, sendText } from "../support/attacker.ts";
import type { Random } from "../support/random.ts";

const MB = 1024 * 1024;
const DEEP = 100_000;
const CHUNKED = { "Transfer-Encoding": "chunked" };

export const UPLOADS: readonly Attack[] = [
  {
    name: "uploads dropped half-way",
    async act(client, random) {
      const whole = requestText(sendText("x".repeat(200_000)));
      await client.send(whole.slice(0, 1 + random.int(whole.length - 1)));
      if (random.int(2) === 0) await pause(random.int(20));
      client.drop(random.pick(["reset", "close"]));
    },
    meets: "no reply",
  },
  {
    name: "uploads that end with a FIN half-way",
    async act(client, random) {
      const whole = requestText(sendText("x".repeat(20_000)));
      await client.send(whole.slice(0, 1 + random.int(whole.length - 1)));
      client.socket.end();
      await client.closed;
    },
    meets: "400 -32600",
  },
  {
    name: "one byte a second",
    limits: "quick",
    // As much faster than a second as the server's limits are. Half of them are slow in the head, the others in the body.
    async act(client) {
      const text = requestText(sendText("x".repeat(100_000)));
      let at = client.index % 2 === 0 ? 0 : text.indexOf("\r\n\r\n") + 4;
      await client.send(text.slice(0, at));
      while (!client.gone()) {
        await client.send(text.slice(at, at + 1));
        at += 1;
        await pause(50);
      }
    },
    meets: "408 -32600",
  },
  {
    name: "bodies that stop",
    limits: "quick",
    async act(client, random) {
      const text = requestText(sendText("x".repeat(1000)));
      await client.send(text.slice(0, text.length - 1 - random.int(900)));
      await client.closed;
    },
    meets: "408 -32600",
  },
  {
    name: "bodies of almost 5 MiB that stop at their end",
    limits: "patient",
    share: 0.75,
    async act(client) {
      await send(client, ALMOST_ALL);
      await client.closed;
    },
    meets: "503 -32053",
  },
  {
    name: "100-continue that never continues",
    limits: "quick",
    async act(client) {
      await client.send(requestText("", { Expect: "100-continue", "Content-Length": "1000" }));
      await client.closed;
    },
    meets: "408 -32600",
  },
  {
    name: "nesting 100,000 deep",
    async act(client, random) {
      await client.send(random.pick(DEEP_REQUESTS));
      await client.replies(1);
    },
    meets: "200 -32600",
  },
  {
    name: "bodies of a million lists",
    share: 0.25,
    async act(client, random) {
      await client.send(random.pick(MANY_PIECES));
      await client.replies(1);
    },
    meets: "200 -32600",
  },
  {
    name: "bodies over 5 MiB",
    async act(client, random) {
      // Most only announce it; some really send it, or far more than they say.
      if (client.index % 10 === 0) await sendChunks(client, 7);
      else if (client.index % 10 === 1) await send(client, requestText(`"${"x".repeat(6 * MB)}"`));
      else
        await client.send(
          requestText("{", { "Content-Length": `${random.pick([5 * MB + 1, 5e8, 2 ** 31, 2 ** 53])}` }),
        );
      await client.closed;
    },
    meets: "413 -32600",
  },
  {
    name: "lies about lengths and chunks",
    async act(client, random) {
      await send(client, random.pick(LIES)(random));
      if (random.int(2) === 0) client.socket.end();
      await Promise.race([client.closed, pause(1500)]);
    },
    meets: "400 -32600",
  },
  {
    name: "bytes that are no UTF-8, and no JSON",
    async act(client, random) {
      for (let sent = 0; sent < 10 && !client.gone(); sent++) {
        const bytes = random.bytes(1 + random.int(2_000));
        await client.send(requestText("", { "Content-Length": `${bytes.length}` }));
        await client.send(bytes);
        await client.replies(sent + 1);
      }
    },
    meets: "200 -32700",
  },
];

const DEEP_REQUESTS: readonly string[] = ["[|]", '{"a":|}', '[{"params":|}]'].flatMap((pattern) => {
  const [open = "", close = ""] = pattern.split("|");
  const params = [open.repeat(DEEP), `${open.repeat(DEEP)}1${close.repeat(DEEP)}`];
  return params.flatMap((deep) => [
    requestText(deep),
    requestText(`{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${deep}}`),
  ]);
});

const MANY_PIECES: readonly string[] = ["[],", "{},", '{"a":1},', '"a":1,'].map((piece) => {
  const pieces = piece.repeat(600_000);
  const data = piece.endsWith("1,") ? `{${pieces}"b":1}` : `[${pieces}1]`;
  const message = `{"messageId":"m","role":"ROLE_USER","parts":[{"data":${data}}]}`;
  return requestText(`{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":${message}}}`);
});

const ALMOST_ALL = requestText("x".repeat(5 * MB)).slice(0, -1000);

const CALL = rpcText("GetTask", { id: "x" });

const LIES: readonly ((random: Random) => string)[] = [
  () => requestText(`zz\r\n${CALL}\r\n0\r\n\r\n`, CHUNKED),
  () => requestText(`ffffffffffffffff\r\n${CALL}`, CHUNKED),
  () => requestText(`-5\r\n${CALL}\r\n`, CHUNKED),
  () => requestText(`5;${"x=y;".repeat(20_000)}\r\nhello\r\n0\r\n\r\n`, CHUNKED),
  (random) => requestText(`5;${"x".repeat(random.int(40_000))}`, CHUNKED),
  () => requestText("5\r\nhello0\r\n\r\n", CHUNKED),
  () => requestText(`0\r\n${"Trailer: x\r\n".repeat(5_000)}\r\n`, CHUNKED),
  () => requestText("5\r\nhello\r\n0\r\n\r\n", { ...CHUNKED, "Content-Length": "3" }),
  () => requestText(CALL, { "Transfer-Encoding": "chunked, gzip" }),
  () => requestText(CALL, { "Transfer-Encoding": "identity" }),
  () => requestText(CALL, { "Content-Length": "-1" }),
  () => requestText(CALL, { "Content-Length": "1e3" }),
  () => requestText(CALL, { "Content-Length": `${CALL.length}, 5` }),
  () => requestText(CALL, { "Content-Length": `${CALL.length - 5}` }),
  () => requestText(CALL, { "Content-Length": "9".repeat(400) }),
  () => requestText(CALL, { "Content-Length": `${CALL.length}`, "content-length": "0" }),
  () => requestText(CALL, { "Content-Encoding": "gzip" }),
];

/** Sends more than the server may want to read: its end is an end of the sending, too. */
async function send(client: Attacker, text: string): Promise<void> {
  await Promise.race([client.send(text), client.closed]);
}

async function sendChunks(client: Attacker, megabytes: number): Promise<void> {
  await client.send(requestText("", CHUNKED));
  const chunk = `${MB.toString(16)}\r\n${"x".repeat(MB)}\r\n`;
  for (let sent = 0; sent < megabytes && !client.gone(); sent++) await send(client, chunk);
}
