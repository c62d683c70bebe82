// Owns what a request carries to say who calls: the peer's own login, or this session's token, and the name this session goes by.
// Where a login may go is ruled by core/security/call-rule.ts. Nothing here is ever shown.

import { loginHeader } from "../core/config/peer-headers.ts";
import type { PeerAuth, PeerSettings, Settings } from "../core/config/settings.ts";
import { A2aError } from "../core/platform/errors.ts";
import type { AddressPolicy } from "../core/platform/http-types.ts";
import { type CallQuestion, type CallRule, callRule } from "../core/security/call-rule.ts";
import type { ResolvedPeer } from "./client-types.ts";
import { type LoginNote, stoppedCall } from "./login-refusal.ts";
import { selfHeaders } from "./self.ts";

/** Who is called, and whether a person typed it. */
export interface Called {
  readonly peer: ResolvedPeer;
  readonly typed: boolean;
  /** Hears of each request what of a login went along. */
  readonly onLogin?: (note: LoginNote) => void;
}

export interface Outgoing {
  readonly headers: Readonly<Record<string, string>>;
  readonly addresses: AddressPolicy;
  readonly note: LoginNote;
  /** Has to be run for the login, which is still missing. */
  readonly command?: string;
  /** What it printed. */
  readonly printed?: string;
}

/**
 * What a request to `url`, the peer's own address or one that its card names, carries. Throws ADDRESS_REFUSED when the peer's login
 * may not go there, CONFIG_INVALID when there should be a login and is none. `printed` is what the peer's command gave.
 */
export function outgoingFor(called: Called, url: string, settings: Settings, printed?: string): Outgoing {
  const { peer } = called;
  const own = ownSettings(peer, settings);
  const question = { ...questionFor(called, url, settings), ...(own === undefined ? {} : placesOf(own)) };
  const hasOwn = own !== undefined && (own.auth !== undefined || Object.keys(own.headers).length > 0);
  const ownRule = callRule({ ...question, login: hasOwn ? "own" : "none" });
  if (ownRule.login === "stop") throw stoppedCall(peer, url, ownRule.why);
  const { addresses } = ownRule;
  const identity = selfHeaders(settings);
  if (own?.auth !== undefined) {
    const { type, token = printed, tokenCommand, missing } = own.auth;
    if (token === undefined && tokenCommand !== undefined && missing === undefined) {
      return { headers: {}, addresses, note: {}, command: tokenCommand };
    }
    const headers = { ...identity, ...own.headers, ...authHeaders(peer, own.auth, token) };
    return { headers, addresses, note: { sent: type }, ...(printed === undefined ? {} : { printed }) };
  }
  const session = sessionLogin(called, question, settings);
  return {
    headers: { ...identity, ...own?.headers, ...session.headers },
    addresses: session.rule.login === "send" ? session.rule.addresses : addresses,
    note: noteOf(session.rule),
  };
}

function questionFor({ peer, typed }: Called, callUrl: string, settings: Settings): Omit<CallQuestion, "login"> {
  const operatorUrls = operatorPeers(settings).map(({ url }) => url);
  const { source, url: peerUrl } = peer;
  return { source, typed, peerUrl, callUrl, operatorUrls, loginUrls: [], allowHttp: false };
}

function placesOf({ loginUrls = [], allowHttp = false }: PeerSettings): Pick<CallQuestion, "loginUrls" | "allowHttp"> {
  return { loginUrls, allowHttp };
}

function ownSettings({ name, source }: ResolvedPeer, { peers }: Settings): PeerSettings | undefined {
  const found = source === "configured" && Object.hasOwn(peers, name) ? peers[name] : undefined;
  return found?.origin === "operator" ? found : undefined;
}

function operatorPeers({ peers }: Settings): readonly PeerSettings[] {
  return Object.values(peers).filter(({ origin }) => origin === "operator");
}

interface SessionLogin {
  readonly rule: CallRule;
  readonly headers: Readonly<Record<string, string>>;
}

function sessionLogin(called: Called, question: Omit<CallQuestion, "login">, settings: Settings): SessionLogin {
  const token = sessionToken(settings);
  // A peer with a login of its own at this address is another program, which must not learn ours.
  const known =
    called.peer.source === "url" ? operatorPeers(settings).filter(({ auth }) => auth === undefined) : undefined;
  const operatorUrls = known?.map(({ url }) => url) ?? question.operatorUrls;
  const rule = callRule({ ...question, operatorUrls, login: token === undefined ? "none" : "session" });
  return { rule, headers: rule.login === "send" ? { Authorization: `Bearer ${token}` } : {} };
}

/** The token that tells this session's calls apart, else the one it shares with others. */
function sessionToken({ selfIdentity, server }: Settings): string | undefined {
  const own = Object.hasOwn(server.peerTokens, selfIdentity) ? server.peerTokens[selfIdentity] : undefined;
  return own ?? (server.sharedToken || undefined);
}

function noteOf({ login, why }: CallRule): LoginNote {
  if (login === "send") return { sent: "session" };
  return why === undefined ? {} : { withheld: why };
}

function authHeaders(
  { name }: ResolvedPeer,
  auth: PeerAuth,
  token: string | undefined,
): Readonly<Record<string, string>> {
  if (token === undefined || auth.missing !== undefined) {
    throw new A2aError("CONFIG_INVALID", `${name} was not called, as its login is missing: ${auth.missing}`, {
      hint: `Set it, or change a2a.peers.${name}.auth.`,
    });
  }
  return { [loginHeader(auth)]: loginValue(name, auth.type, token) };
}

function loginValue(name: string, type: PeerAuth["type"], token: string): string {
  switch (type) {
    case "bearer":
      if (/^[!-~]+$/.test(token)) return `Bearer ${token}`;
      throw unusable(name, "a bearer token has printable ASCII letters only, without spaces");
    case "apiKey":
      if (/^[ -~]+$/.test(token)) return token;
      throw unusable(name, "a header has printable ASCII letters only");
    case "basic":
      if (token.includes(":")) return `Basic ${Buffer.from(token, "utf8").toString("base64")}`;
      throw unusable(name, "a basic login is user:password");
    default:
      return type satisfies never;
  }
}

function unusable(name: string, rule: string): A2aError {
  return new A2aError("CONFIG_INVALID", `${name} was not called, as its login cannot be sent: ${rule}`, {
    hint: `Correct a2a.peers.${name}.auth.`,
  });
}
