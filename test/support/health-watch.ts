// Asks /health again and again, one request after the other, each on a connection of its own.

import { get } from "node:http";

export interface HealthWatch {
  /** Ends the asking; how often it was asked, and what went wrong. */
  stop(): Promise<{ readonly asked: number; readonly refused: readonly string[] }>;
}

export function watchHealth(baseUrl: string): HealthWatch {
  const refused: string[] = [];
  let asked = 0;
  let stopped = false;
  const loop = async (): Promise<void> => {
    while (!stopped) {
      const answer = await askOnce(new URL("/health", baseUrl));
      asked += 1;
      if (answer !== "200") refused.push(answer);
    }
  };
  const done = loop();
  return {
    async stop() {
      stopped = true;
      await done;
      return { asked, refused };
    },
  };
}

function askOnce(url: URL): Promise<string> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false }, (response) => {
      response.resume();
      response.once("end", () => resolve(String(response.statusCode)));
      response.once("error", (error) => resolve(error.message));
    });
    request.once("error", (error) => resolve(error.message));
  });
}
