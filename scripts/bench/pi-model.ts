// A model for real Pi without an extension and without a network: an OpenAI-compatible server on 127.0.0.1 that says the same words
// to everything.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { REPLY } from "./servers/server-settings.ts";

export interface PiModel {
  /** The text of models.json in Pi's agent folder. */
  readonly models: string;
  /** What settings.json says of it. */
  readonly settings: { readonly defaultProvider: string; readonly defaultModel: string };
  stop(): Promise<void>;
}

export async function startPiModel(): Promise<PiModel> {
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.end(`${chunk({ role: "assistant", content: REPLY }, null)}${chunk({}, "stop")}data: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const model = { id: "same", reasoning: false, input: ["text"], contextWindow: 32_000, maxTokens: 4_096 };
  const provider = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    api: "openai-completions",
    apiKey: "none",
    models: [model],
  };
  return {
    models: JSON.stringify({ providers: { bench: provider } }),
    settings: { defaultProvider: "bench", defaultModel: "same" },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
