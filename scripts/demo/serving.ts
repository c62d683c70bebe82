// `npm run demo -- --serve`: one session that serves until it is stopped, so that a person can try curl on it.

import { serve } from "../../test/support/e2e-stage.ts";
import type { PiProcess } from "../../test/support/pi-process.ts";
import type { Theatre } from "./theatre.ts";

/** Prints the ready line once the server listens. Resolves when `stopped` does, throws when the session ends before. */
export async function keepServing(theatre: Theatre, stopped: Promise<string>): Promise<void> {
  const pi = await theatre.session("session 1");
  const url = await serve(pi);
  console.log(`ready: ${url} serves ${theatre.workspace}, stop with Ctrl-C. Try:\n${curl(url)}`);
  console.log(await Promise.race([stopped, ended(pi)]));
}

function curl(url: string): string {
  return `
curl -X POST ${url} \\
  -H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"SendMessage",
       "params":{"message":{"messageId":"m1","role":"ROLE_USER",
                 "parts":[{"text":"Find all TODO comments in src/"}]}}}'
`;
}

/** Rejects when Pi goes away. */
async function ended(pi: PiProcess): Promise<never> {
  const never = await pi.events.next("the end of the session", () => false, {
    from: pi.events.all.length,
    deadlineMs: 2 ** 31 - 1,
  });
  throw new Error(`unexpected ${never.type}`);
}
