// Owns who a call is for: a configured name or a URL becomes a peer, an unknown name becomes an error that helps.

import type { PeerSettings, Settings } from "../core/config/settings.ts";
import { A2aError } from "../core/platform/errors.ts";
import { oneLine } from "../core/security/sanitize.ts";
import { hideLogin } from "../core/security/url-login.ts";
import type { ResolvedPeer } from "./client-types.ts";
import { closeNames } from "./close-names.ts";
import type { Target } from "./outbound-deps.ts";

/** Throws PEER_UNKNOWN for a name that is not configured, ADDRESS_REFUSED or CONFIG_INVALID for an unusable URL. */
export function resolvePeer(agent: string, typed: boolean, settings: Settings): Target {
  const wanted = agent.trim();
  const named = configuredPeer(wanted, settings);
  if (named !== undefined) {
    checkUrl(named.url, wanted, "CONFIG_INVALID");
    return { peer: configured(wanted, named, settings), typed };
  }
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(wanted)) throw unknownPeer(wanted, settings);
  checkUrl(wanted, wanted, "ADDRESS_REFUSED");
  const sameUrl = peerAt(wanted, settings);
  if (sameUrl !== undefined) return { peer: configured(sameUrl[0], sameUrl[1], settings), typed };
  const peer = { name: new URL(wanted).host, url: wanted, source: "url", timeoutMs: settings.timeouts.send } as const;
  return { peer, typed };
}

/** False for URLs, and for names that nobody has configured. */
export function isKnownPeer(agent: string, settings: Settings): boolean {
  return configuredPeer(agent.trim(), settings) !== undefined;
}

/** Of two peers with one address the operator's. */
function peerAt(url: string, settings: Settings): [string, PeerSettings] | undefined {
  const there = Object.entries(settings.peers).filter(([, peer]) => withoutSlash(peer.url) === withoutSlash(url));
  return there.find(([, peer]) => peer.origin === "operator") ?? there[0];
}

function configuredPeer(name: string, settings: Settings): PeerSettings | undefined {
  return Object.hasOwn(settings.peers, name) ? settings.peers[name] : undefined;
}

function configured(name: string, peer: PeerSettings, settings: Settings): ResolvedPeer {
  const timeoutMs = peer.timeout === undefined ? settings.timeouts.send : peer.timeout * 1000;
  const source = peer.origin === "operator" ? "configured" : "repository";
  return { name, url: peer.url, source, timeoutMs };
}

function checkUrl(text: string, shown: string, code: "CONFIG_INVALID" | "ADDRESS_REFUSED"): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const where = `the address of ${oneLine(hideLogin(shown), 80)}`;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new A2aError(code, `${where} is not an http or https URL`, { hint: "Write it as http://host:port/path." });
  }
  if (url.username !== "" || url.password !== "") {
    throw new A2aError(code, `${where} holds a user name or a password, which are never sent`, {
      hint: "Remove them from the URL.",
    });
  }
}

function unknownPeer(name: string, settings: Settings): A2aError {
  const shown = oneLine(hideLogin(name), 80);
  const known = Object.keys(settings.peers);
  const close = closeNames(name, known);
  const hints = [
    ...(close.length > 0 ? [`Did you mean ${close.join(" or ")}?`] : []),
    ...(/^[\w.-]+:\d{1,5}(\/|$)/.test(name) ? [`An address needs its scheme: http://${shown}.`] : []),
    ...(close.length === 0 && known.length > 0 ? [`Configured peers: ${known.slice(0, 10).join(", ")}.`] : []),
    'Give the agent\'s URL, or add it to settings.json as {"a2a":{"peers":{"<name>":{"url":"http://host:port"}}}}.',
  ];
  return new A2aError("PEER_UNKNOWN", shown === "" ? "no agent was named" : `no peer is called "${shown}"`, {
    hint: hints.join(" "),
  });
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
