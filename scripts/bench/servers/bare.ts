// The limit: node:http alone, which reads each request whole and sends the bytes it was told, and a loop that writes events.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { answerParent } from "../../../test/hostile/support/measured-child.ts";
import { cpuMicros } from "./cpu-micros.ts";
import type { BareAnswer, BareStream } from "./server-settings.ts";

/** A reader so far behind is cut off, as by the server of this package. */
const MOST_BEHIND = 4 * 1024 * 1024;

let answer: BareAnswer = { status: 204, headers: [], body: "" };
let stream: BareStream | undefined;

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (text: string) => {
    body += text;
  });
  request.on("end", () => reply(request, response, body));
});

function reply(_request: IncomingMessage, response: ServerResponse, _body: string): void {
  if (stream !== undefined) return void writeEvents(response, stream);
  const { status, headers, body } = answer;
  response.writeHead(status, headers as string[]);
  response.end(body);
}

async function writeEvents(response: ServerResponse, { headers, frame, frames }: BareStream): Promise<void> {
  response.writeHead(200, headers as string[]);
  for (let n = 0; n < frames && !response.destroyed; n++) {
    response.write(frame);
    if (response.writableLength > MOST_BEHIND) return void response.destroy();
    await setImmediate();
  }
  response.end();
}

server.listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const { port } = server.address() as AddressInfo;

answerParent(
  {
    ready: () => undefined,
    address: () => `http://127.0.0.1:${port}/`,
    answer(next: BareAnswer) {
      answer = next;
      stream = undefined;
    },
    stream(next: BareStream) {
      stream = next;
    },
    cpuMicros,
    faults: () => [],
    stop() {
      server.close();
      server.closeAllConnections();
    },
  },
  () => ({}),
);
