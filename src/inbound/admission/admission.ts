// Decides who a request comes from and whether it is let in (DESIGN §5): tokens of peers before the shared one, without any
// token only programs on this machine, then the list of trusted callers. A refusal never tells which names or tokens exist.

import { A2aError } from "../../core/platform/errors.ts";
import { canonicalAddress } from "../../core/security/host-header.ts";
import type { HeadRules, Refusal } from "../guards.ts";
import { isLocalCaller, type RequestFacts } from "../request-facts.ts";
import type { Admission, AdmissionRules, Admitted, Entry, NotAdmitted } from "./admission-types.ts";
import { ownUrl } from "./own-address.ts";
import { createTokenBook, type TokenBook } from "./token-book.ts";
import { createTrustedProxies, type TrustedProxies } from "./trusted-proxies.ts";

const UNKNOWN_ADDRESS = "unknown";
const SEND_A_TOKEN =
  "send Authorization: Bearer <token> or X-API-Key: <token>, with a token that its operator has given you";
const SETS_A_TOKEN = "sets a2a.server.peerTokens or a2a.server.sharedToken";

/** What is worked out of rules once. */
interface Gate {
  readonly rules: AdmissionRules;
  readonly headRules: HeadRules;
  readonly book: TokenBook;
  readonly proxies: TrustedProxies;
  readonly trusted: ReadonlySet<string>;
}

/** Rules that have changed count from the next request on. */
export function createAdmission(rules: () => AdmissionRules): Admission {
  let gate: Gate | undefined;
  const current = (): Gate => {
    const now = rules();
    if (gate?.rules !== now) gate = gateOf(now);
    return gate;
  };
  return {
    headRules: () => current().headRules,
    admit: (facts) => admit(current(), facts),
    view(facts) {
      const now = current();
      return {
        url: ownUrl(facts, now.rules.publicUrl, now.proxies.has(facts.address)),
        withSession: !("refusal" in admit(now, facts)),
        login: now.book.size > 0,
      };
    },
  };
}

function gateOf(rules: AdmissionRules): Gate {
  const book = createTokenBook(rules.tokens);
  return {
    rules,
    headRules: { anyHost: book.size > 0, publicUrl: rules.publicUrl },
    book,
    proxies: createTrustedProxies(rules.trustedProxies),
    trusted: new Set(rules.trustedPeers.map(principalName)),
  };
}

function admit(gate: Gate, facts: RequestFacts): Entry {
  const address = addressOf(gate, facts);
  const decided = decide(gate, facts, address);
  return "refusal" in decided ? { ...decided, address } : decided;
}

type Decided = Admitted | Pick<NotAdmitted, "refusal">;

function decide(gate: Gate, facts: RequestFacts, address: string): Decided {
  if (gate.rules.closed) return { refusal: nobodyIsLetIn() };
  const entry = gate.book.size === 0 ? admitLocal(gate, facts, address) : admitByToken(gate, facts, address);
  if ("refusal" in entry || isTrusted(gate, entry.principal.name)) return entry;
  return { refusal: notTrusted() };
}

function addressOf({ proxies }: Gate, { address, forwardedFor }: RequestFacts): string {
  if (!proxies.has(address)) return address;
  return forwardedFor === undefined ? address : (proxies.originOf(forwardedFor) ?? UNKNOWN_ADDRESS);
}

/** Whoever a proxy stands for is not on this machine, even if the proxy is and does not say that it is one. */
function admitLocal({ proxies }: Gate, facts: RequestFacts, address: string): Decided {
  if (isLocalCaller(facts) && !proxies.has(facts.address)) return admitted("local", undefined, address);
  return {
    refusal: unauthorized(`only programs on its own machine may call this server until its operator ${SETS_A_TOKEN}`),
  };
}

function admitByToken({ book }: Gate, { credentials }: RequestFacts, address: string): Decided {
  if ("problem" in credentials) return { refusal: unauthorized(`${credentials.problem}; ${SEND_A_TOKEN}`, true) };
  const [presented] = credentials.tokens;
  if (presented === undefined) return { refusal: unauthorized(`no token was sent; ${SEND_A_TOKEN}`) };
  const known = book.find(presented);
  if (known !== undefined) return admitted(known.key, known.name, address);
  return { refusal: unauthorized(`the token that was sent is not one of this server; ${SEND_A_TOKEN}`, true) };
}

function admitted(key: string, name: string | undefined, address: string): Admitted {
  return { principal: { key, name: name ?? `ip:${address}` }, address };
}

/** Addresses are written in many ways; `ip:` names count by the address. */
function principalName(entry: string): string {
  if (!entry.startsWith("ip:")) return entry;
  return `ip:${canonicalAddress(entry.slice("ip:".length)) ?? ""}`;
}

function isTrusted({ rules, trusted }: Gate, name: string): boolean {
  return rules.allowAllUsers || trusted.size === 0 || trusted.has(name);
}

/** Hints stay in this process, so the message itself says how to be let in. */
function unauthorized(message: string, wasWrong = false): Refusal {
  const challenge = wasWrong ? 'Bearer realm="pi-a2a", error="invalid_token"' : 'Bearer realm="pi-a2a"';
  return { error: new A2aError("UNAUTHORIZED", message), headers: ["WWW-Authenticate", challenge] };
}

function notTrusted(): Refusal {
  const how = "its operator adds the caller to a2a.server.trustedPeers";
  return { error: new A2aError("FORBIDDEN", `this caller is not among those that this server trusts; ${how}`) };
}

function nobodyIsLetIn(): Refusal {
  const how = "its operator corrects the settings that the session names";
  return { error: new A2aError("FORBIDDEN", `this server cannot read its settings and lets nobody in; ${how}`) };
}
