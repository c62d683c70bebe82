// One request to a measured server, outside of any measurement.

import { request } from "node:http";
import { type Answer, withId } from "./calls.ts";
import type { LoadRequest } from "./load-types.ts";

const TIMEOUT_MS = 60_000;

export function askServer(url: string, { method, path, headers, body }: LoadRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(new URL(path, url), { method, headers, agent: false, timeout: TIMEOUT_MS }, (response) => {
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
    call.end(withId(body));
  });
}
