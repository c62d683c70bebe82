// Owns what people are told about logins: why a call was not made, and what was or was not sent to a peer that refused it. Names
// settings and kinds, never a value.

import { A2aError } from "../core/platform/errors.ts";
import type { Withheld } from "../core/security/call-rule.ts";
import { oneLine } from "../core/security/sanitize.ts";
import type { ResolvedPeer } from "./client-types.ts";

/** The peer would have to be called without its login. */
export function stoppedCall({ name, url }: ResolvedPeer, callUrl: string, why: Withheld | undefined): A2aError {
  const to = originOf(callUrl);
  if (why === "plain-http") {
    const text = `the login of ${name} is not sent over plain http to the public address ${to}, so there was no call`;
    const hint = `Give the peer's url with https, or set a2a.peers.${name}.auth.allowHttp to true.`;
    return new A2aError("ADDRESS_REFUSED", text, { hint });
  }
  const text = `the agent card of ${name} at ${originOf(url)} names the address ${to}, another origin; the login of ${name} is not sent there, so there was no call`;
  const hint = `If that address is right, add ${JSON.stringify(to)} to a2a.peers.${name}.auth.origins.`;
  return new A2aError("ADDRESS_REFUSED", text, { hint });
}

function originOf(url: string): string {
  return oneLine(URL.canParse(url) ? new URL(url).origin : url, 200);
}
