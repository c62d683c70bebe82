// Owns how the settings become the rules of admission: the tokens in the order in which they count, the same object while the
// settings are the same.

import type { Settings } from "../core/config/settings.ts";
import type { AdmissionRules, KnownToken } from "../inbound/admission/admission-types.ts";

/** Settings that are read again count from the next request on. */
export function createAdmissionRules(settings: () => Settings): () => AdmissionRules {
  let made: { readonly from: Settings; readonly rules: AdmissionRules } | undefined;
  return () => {
    const now = settings();
    if (made?.from !== now) made = { from: now, rules: rulesOf(now) };
    return made.rules;
  };
}

function rulesOf({ server }: Settings): AdmissionRules {
  return {
    tokens: tokensOf(server),
    trustedPeers: server.trustedPeers,
    allowAllUsers: server.allowAllUsers,
    trustedProxies: server.trustedProxies,
    publicUrl: server.publicUrl,
    closed: server.refusals.length > 0,
  };
}

function tokensOf({ peerTokens, sharedToken }: Settings["server"]): readonly KnownToken[] {
  const peers = Object.entries(peerTokens).map(([name, token]) => ({ token, key: `peer:${name}`, name }));
  return sharedToken === "" ? peers : [...peers, { token: sharedToken, key: "shared" }];
}
