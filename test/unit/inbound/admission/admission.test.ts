import assert from "node:assert/strict";
import fc from "fast-check";
import { createAdmission } from "../../../../src/inbound/admission/admission.ts";
import type { AdmissionRules, Entry } from "../../../../src/inbound/admission/admission-types.ts";
import { admissionRules, peerToken, sharedToken } from "../../../support/admission-rules.ts";
import { type Caller, factsFrom } from "../../../support/request-facts.ts";

const TOKENS = [peerToken("alice"), peerToken("bob"), sharedToken()];

function admit(rules: Partial<AdmissionRules>, caller: Caller = {}): Entry {
  return createAdmission(() => admissionRules(rules)).admit(factsFrom(caller));
}

/** What became of a caller: the principal's key and name, or the code of the refusal. */
function outcome(rules: Partial<AdmissionRules>, caller: Caller = {}): string {
  const entry = admit(rules, caller);
  return "refusal" in entry ? entry.refusal.error.code : `${entry.principal.key} as ${entry.principal.name}`;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("admission without tokens", () => {
  for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "127.8.8.8"]) {
    it(`lets in programs on this machine, here ${address}`, () => {
      assert.match(outcome({}, { address }), /^local as ip:/);
    });
  }

  for (const address of ["192.168.1.5", "10.0.0.1", "203.0.113.9", "fe80::1%eth0", undefined]) {
    it(`refuses ${address}, which is not this machine`, () => {
      assert.equal(outcome({}, { address: address ?? "" }), "UNAUTHORIZED");
    });
  }

  const FORWARDED: Record<string, string>[] = [
    { "x-forwarded-for": "198.51.100.7" },
    { "x-forwarded-for": "127.0.0.1" },
    { "x-real-ip": "127.0.0.1" },
    { forwarded: "for=127.0.0.1" },
    { via: "1.1 tunnel" },
    { "x-forwarded-host": "box.tailnet.example" },
  ];
  for (const headers of FORWARDED) {
    it(`treats a forwarded request as one from outside: ${JSON.stringify(headers)} (X13)`, () => {
      assert.equal(outcome({}, { headers }), "UNAUTHORIZED");
      assert.equal(outcome({ trustedProxies: ["127.0.0.1"] }, { headers }), "UNAUTHORIZED");
    });
  }

  it("treats a proxy that says nothing of whom it stands for as one from outside (X13)", () => {
    assert.equal(outcome({ trustedProxies: ["127.0.0.0/8"] }), "UNAUTHORIZED");
  });

  it("asks nobody on this machine for a credential, and reads none", () => {
    assert.equal(outcome({}, { headers: bearer("anything") }), "local as ip:127.0.0.1");
    assert.equal(outcome({}, { headers: { authorization: "Basic x" } }), "local as ip:127.0.0.1");
  });

  it("keeps to the list of trusted callers, too", () => {
    assert.equal(outcome({ trustedPeers: ["alice"] }), "FORBIDDEN");
    assert.equal(outcome({ trustedPeers: ["ip:127.0.0.1"] }), "local as ip:127.0.0.1");
    assert.equal(outcome({ trustedPeers: ["alice"], allowAllUsers: true }), "local as ip:127.0.0.1");
  });

  it("is no gate that allowAllUsers would open", () => {
    assert.equal(outcome({ allowAllUsers: true }, { address: "10.0.0.1" }), "UNAUTHORIZED");
  });
});

describe("admission with tokens", () => {
  it("names the peer whose token was presented, and the address for the shared one", () => {
    assert.equal(outcome({ tokens: TOKENS }, { headers: bearer("token-of-alice") }), "peer:alice as alice");
    const shared = { address: "10.0.0.7", headers: { "x-api-key": "token-of-all" } };
    assert.equal(outcome({ tokens: TOKENS }, shared), "shared as ip:10.0.0.7");
  });

  it("lets nobody in without one, on this machine neither", () => {
    assert.equal(outcome({ tokens: TOKENS }), "UNAUTHORIZED");
    assert.equal(outcome({ tokens: TOKENS, allowAllUsers: true }), "UNAUTHORIZED");
  });

  it("trusts everyone with a token until a list is given, then only those it names", () => {
    const as = (token: string, rules: Partial<AdmissionRules>) =>
      outcome({ tokens: TOKENS, ...rules }, { address: "10.0.0.7", headers: bearer(token) });
    assert.equal(as("token-of-bob", {}), "peer:bob as bob");
    assert.equal(as("token-of-bob", { trustedPeers: ["alice"] }), "FORBIDDEN");
    assert.equal(as("token-of-alice", { trustedPeers: ["alice"] }), "peer:alice as alice");
    assert.equal(as("token-of-all", { trustedPeers: ["alice"] }), "FORBIDDEN");
    assert.equal(as("token-of-all", { trustedPeers: ["ip:10.0.0.7"] }), "shared as ip:10.0.0.7");
    assert.equal(as("token-of-bob", { trustedPeers: ["ip:10.0.0.7"] }), "FORBIDDEN");
    assert.equal(as("token-of-bob", { trustedPeers: ["alice"], allowAllUsers: true }), "peer:bob as bob");
    assert.equal(as("wrong", { trustedPeers: ["alice"], allowAllUsers: true }), "UNAUTHORIZED");
  });

  it("reads addresses of the list in every spelling", () => {
    for (const entry of ["ip:2001:DB8::7", "ip:[2001:db8::7]", "ip:2001:db8:0:0:0:0:0:7"]) {
      const caller = { address: "2001:db8::7", headers: bearer("token-of-all") };
      assert.equal(outcome({ tokens: TOKENS, trustedPeers: [entry] }, caller), "shared as ip:2001:db8::7");
    }
    const nonsense = { tokens: TOKENS, trustedPeers: ["ip:nonsense"] };
    assert.equal(outcome(nonsense, { address: "", headers: bearer("token-of-all") }), "FORBIDDEN");
  });

  it("takes no name from a header that anybody can send", () => {
    const headers = { ...bearer("token-of-all"), "x-a2a-identity": "alice" };
    assert.equal(outcome({ tokens: TOKENS, trustedPeers: ["alice"] }, { headers }), "FORBIDDEN");
  });

  it("knows gateways by their key", () => {
    const tokens = [{ token: "g", key: "gateway:work", name: "gateway:work" }];
    assert.equal(
      outcome({ tokens, trustedPeers: ["gateway:work"] }, { headers: bearer("g") }),
      "gateway:work as gateway:work",
    );
  });
});

describe("admission of anything at all", () => {
  const names = fc.constantFrom(
    ...["authorization", "x-api-key", "x-forwarded-for", "x-forwarded-host", "forwarded", "via", "host", "origin"],
    "x-a2a-identity",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("127.0.0.1", "Bearer token-of-alic", "bearer", "Bearer  ", "10.0.0.1, x", "[::1", "token-of-bob "),
  );
  const headers = fc.dictionary(names, text, { noNullPrototype: true });
  const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom("", "127.0.0.1", "::1"));

  it("lets in nobody who does not present a whole token", () => {
    const admission = createAdmission(() => admissionRules({ tokens: TOKENS, trustedProxies: ["127.0.0.0/8"] }));
    const whole = (value: string | undefined) => TOKENS.some(({ token }) => value?.includes(token));
    fc.assert(
      fc.property(headers, address, (given, from) => {
        const entry = admission.admit(factsFrom({ address: from, headers: given }));
        if (!("refusal" in entry)) assert.ok(whole(given.authorization) || whole(given["x-api-key"]));
      }),
    );
  });

  it("lets in nobody from elsewhere while there is no token", () => {
    const admission = createAdmission(() => admissionRules({ trustedProxies: ["10.0.0.0/8"] }));
    fc.assert(
      fc.property(headers, address, (given, from) => {
        const entry = admission.admit(factsFrom({ address: from, headers: given }));
        if ("refusal" in entry) return;
        assert.match(entry.principal.name, /^ip:(?:127\.|::1$)/);
        assert.ok(!Object.keys(given).some((name) => /^(?:x-forwarded|forwarded|via)/.test(name)));
      }),
    );
  });
});

describe("admission behind proxies", () => {
  const from = (forwardedFor: string, trustedProxies = ["10.0.0.0/8", "::1"], address = "10.0.0.1") => {
    const headers = { ...bearer("token-of-all"), "x-forwarded-for": forwardedFor };
    return outcome({ tokens: TOKENS, trustedProxies }, { address, headers }).replace("shared as ip:", "");
  };

  it("believes forwarded addresses only from trusted proxies (X03)", () => {
    assert.equal(from("203.0.113.9", []), "10.0.0.1");
    assert.equal(from("203.0.113.9", ["10.0.0.2"]), "10.0.0.1");
    assert.equal(from("203.0.113.9"), "203.0.113.9");
    assert.equal(from("203.0.113.9", ["::ffff:10.0.0.1"]), "203.0.113.9");
  });

  it("takes the rightmost address that is no trusted proxy (X03)", () => {
    assert.equal(from("127.0.0.1, 203.0.113.9, 10.0.0.2"), "203.0.113.9");
    assert.equal(from("1.1.1.1, 2.2.2.2"), "2.2.2.2");
    assert.equal(from("203.0.113.9:4711"), "203.0.113.9");
    assert.equal(from("[2001:db8::7]:4711"), "2001:db8::7");
    assert.equal(from("2001:DB8::7"), "2001:db8::7");
    assert.equal(from("::ffff:203.0.113.9"), "203.0.113.9");
  });

  it("says unknown where the list cannot be read, and never the proxy or an address left of it", () => {
    for (const list of ["", "unknown", "127.0.0.1, _hidden", "127.0.0.1, x, 10.0.0.2", "10.0.0.2", "a".repeat(9000)]) {
      assert.equal(from(list), "unknown", list.slice(0, 30));
    }
  });
});

describe("admission while the settings cannot be read", () => {
  it("lets nobody in, with or without a token", () => {
    for (const rules of [{ closed: true }, { closed: true, tokens: TOKENS, allowAllUsers: true }]) {
      assert.equal(outcome(rules, { headers: bearer("token-of-alice") }), "FORBIDDEN");
    }
  });
});

describe("what admission says of the card", () => {
  const view = (rules: Partial<AdmissionRules>, caller: Caller = {}) =>
    createAdmission(() => admissionRules(rules)).view(factsFrom(caller));

  it("has the public URL, whatever the request says (C03)", () => {
    const headers = { host: "inner:1", "x-forwarded-host": "other", "x-forwarded-proto": "https" };
    const rules = { publicUrl: "https://agent.example.com/pi", trustedProxies: ["127.0.0.1"] };
    assert.equal(view(rules, { headers }).url, "https://agent.example.com/pi");
    assert.equal(view({ publicUrl: "https://agent.example.com" }).url, "https://agent.example.com/");
  });

  it("takes scheme and host of forwarded headers from trusted proxies only (C03)", () => {
    const headers = { host: "inner:1", "x-forwarded-host": "agent.example.com", "x-forwarded-proto": "https" };
    assert.equal(view({}, { headers }).url, "http://inner:1/");
    assert.equal(view({ trustedProxies: ["127.0.0.1"] }, { headers }).url, "https://agent.example.com/");
    const odd = { host: "inner:1", "x-forwarded-host": "evil/x@", "x-forwarded-proto": "javascript" };
    assert.equal(view({ trustedProxies: ["127.0.0.1"] }, { headers: odd }).url, "http://inner:1/");
  });

  it("never has a wildcard address (C02)", () => {
    assert.equal(view({}, { headers: { host: "0.0.0.0:9910" } }).url, "http://127.0.0.1:9910/");
    assert.equal(view({}, { headers: { host: "[::]:9910" } }).url, "http://[::1]:9910/");
    assert.equal(view({}, { headers: { host: "[::]" } }).url, "http://[::1]/");
  });

  it("shows the session to admitted callers alone (X17)", () => {
    const login = { tokens: TOKENS };
    assert.equal(view({}).withSession, true);
    assert.equal(view({}, { headers: { "x-forwarded-for": "127.0.0.1" } }).withSession, false);
    assert.equal(view({}, { address: "10.0.0.1" }).withSession, false);
    assert.equal(view(login).withSession, false);
    assert.equal(view(login, { headers: bearer("wrong") }).withSession, false);
    assert.equal(view(login, { address: "10.0.0.1", headers: bearer("token-of-bob") }).withSession, true);
    assert.equal(view({ ...login, trustedPeers: ["alice"] }, { headers: bearer("token-of-bob") }).withSession, false);
    assert.equal(view({ closed: true }).withSession, false);
  });
});
