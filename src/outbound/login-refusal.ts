// Owns what people are told about logins: why a call was not made, and what was or was not sent to a peer that refused it. Names
// settings and kinds, never a value.

import type { PeerAuth } from "../core/config/settings.ts";
import { A2aError } from "../core/platform/errors.ts";
import type { Withheld } from "../core/security/call-rule.ts";
import { oneLine } from "../core/security/sanitize.ts";
import type { ResolvedPeer } from "./client-types.ts";

/** What of a login was sent or left out; says nothing of its value. */
export interface LoginNote {
  /** The kind of the login that was sent. */
  readonly sent?: PeerAuth["type"] | "session";
  /** Why this session's token was left out. */
  readonly withheld?: Withheld;
}

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

/** The peer answered 401 or 403: what it wants, what it got, and which setting would change that. */
export function refusedHint(peer: ResolvedPeer, note: LoginNote, status: number, wanted: string): string {
  const wants = wanted === "" ? "" : `It asks for ${wanted}. `;
  return `${wants}${note.sent === undefined ? nothingSent(peer, note) : refusedSent(peer, note.sent, status)}`;
}

function refusedSent({ name }: ResolvedPeer, sent: NonNullable<LoginNote["sent"]>, status: number): string {
  if (status === 403) return "It knows the login that was sent and does not admit this caller; its operator has to.";
  if (sent === "session") {
    return `It refused this session's own token: that session has to know it (a2a.server.peerTokens or sharedToken there). Another login goes into a2a.peers.${name}.auth.`;
  }
  const kind = { bearer: "bearer token", basic: "user name and password", apiKey: "API key" }[sent];
  return `It refused the ${kind} of a2a.peers.${name}.auth.`;
}

function nothingSent(peer: ResolvedPeer, { withheld }: LoginNote): string {
  const { name } = peer;
  switch (withheld) {
    case undefined:
      return `No login was sent: there is none. ${howToAdd(peer)}`;
    case "unknown-url":
      return `No login was sent: this session's token goes to configured peers only. ${howToAdd(peer)}`;
    case "repository":
      return `No login was sent: only a file of the repository names this peer. ${howToAdd(peer)}`;
    case "not-this-machine":
      return `This session's token was not sent: it stays on this machine. Set a2a.peers.${name}.auth.`;
    case "other-origin":
      return `This session's token was not sent: the card names another address than a2a.peers.${name}.url. Set a2a.peers.${name}.auth, with that address in auth.origins.`;
    case "plain-http":
      return `The login was not sent over plain http. Use https, or set a2a.peers.${name}.auth.allowHttp.`;
    default:
      return withheld satisfies never;
  }
}

function howToAdd({ name, source }: ResolvedPeer): string {
  if (source === "configured") return `Set a2a.peers.${name}.auth in your settings.`;
  return "Add the peer with url and auth under a2a.peers of your own settings.";
}

function originOf(url: string): string {
  return oneLine(URL.canParse(url) ? new URL(url).origin : url, 200);
}
