// One request to a measured server, outside of any measurement.

import { type Agent, request } from "node:http";
import { type Answer, withId } from "./calls.ts";
import type { LoadRequest } from "./load-types.ts";

const TIMEOUT_MS = 60_000;

export interface AskOptions {
  /** Of connections that are used again; without it the request has its own. */
  readonly agent?: Agent;
  /** The connection stands, and the first byte is about to go. */
  readonly onSend?: () => void;
}

export function askServer(
  url: string,
  { method, path, headers, body }: LoadRequest,
  { agent, onSend }: AskOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: agent ?? false, timeout: TIMEOUT_MS };
    const call = request(new URL(path, url), options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.once("error", reject);
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, rawHeaders: response.rawHeaders, body: text }),
      );
    });
    call.once("timeout", () => call.destroy(new Error(`${url} did not answer within ${TIMEOUT_MS} ms`)));
    call.once("error", reject);
    call.once("socket", (socket) => {
      const send = (): void => {
        onSend?.();
        call.end(withId(body));
      };
      if (socket.connecting) socket.once("connect", send);
      else send();
    });
  });
}
