// Stands in for Google's model API: acts by the first word of the newest text of the user.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isObject, parseJson } from "../../src/core/platform/json.ts";

export interface FakeModel {
  readonly origin: string;
  stop(): Promise<void>;
}

type Part = { readonly text: string; readonly thought?: boolean };

export async function startFakeModel(): Promise<FakeModel> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const text = newestText(body);
  const [word, ...rest] = text.split(" ");
  if (word === "fail") return fail(response);
  // Whoever waits for it ends it.
  if (word === "wait") return;
  const parts: Part[] = [{ text: `${text}, ` }, { text: "said the model" }];
  if (word === "think") parts.unshift({ text: "**Plan** secret thought", thought: true });
  if (word === "slow") await new Promise((resolve) => setTimeout(resolve, Number(rest[0]) * 1000));
  if (!request.url?.includes("alt=sse")) return void response.end(JSON.stringify(candidate({ text: "{}" }, true)));
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [nth, part] of parts.entries()) {
    response.write(`data: ${JSON.stringify(candidate(part, nth === parts.length - 1))}\n\n`);
  }
  response.end();
}

function fail(response: ServerResponse): void {
  response.writeHead(400, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { code: 400, message: "the model is broken", status: "INVALID_ARGUMENT" } }));
}

function candidate(part: Part, last: boolean): object {
  const content = { role: "model", parts: [part] };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  return { candidates: [{ content, index: 0, ...(last ? { finishReason: "STOP" } : {}) }], usageMetadata };
}

/** The CLI sends contexts of its own before the person's words. */
function newestText(body: string): string {
  const request = parseJson(body);
  const contents = isObject(request) && Array.isArray(request.contents) ? request.contents : [];
  const newest: unknown = contents.at(-1);
  const parts: unknown[] = isObject(newest) && Array.isArray(newest.parts) ? newest.parts : [];
  const texts = parts.flatMap((part) => (isObject(part) && typeof part.text === "string" ? [part.text] : []));
  return texts.at(-1) ?? "";
}
