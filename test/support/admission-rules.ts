// Rules of admission as tests change them: those of a session whose operator has set nothing.

import type { AdmissionRules, KnownToken } from "../../src/inbound/admission/admission-types.ts";

export function admissionRules(changes: Partial<AdmissionRules> = {}): AdmissionRules {
  return {
    ...{ tokens: [], trustedPeers: [], allowAllUsers: false, trustedProxies: [], publicUrl: "", closed: false },
    ...changes,
  };
}

export function peerToken(name: string, token = `token-of-${name}`): KnownToken {
  return { token, key: `peer:${name}`, name };
}

export function sharedToken(token = "token-of-all"): KnownToken {
  return { token, key: "shared" };
}
