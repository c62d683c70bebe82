// The table of who may lead a call to a private address. Credentials join it when there are some.

import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { addressPolicy } from "../../../src/outbound/address-rule.ts";

const PEER = "http://10.0.0.1:9900/a2a";
const KNOWN = "http://10.0.0.2:9900/";
const OTHER = "http://10.0.0.3:9900/";

const TABLE: readonly [what: string, vouched: boolean, peerUrl: string, callUrl: string, policy: string][] = [
  ["a vouched peer at its own origin", true, PEER, "http://10.0.0.1:9900/rpc", "any"],
  ["a vouched peer whose card names another configured peer's origin", true, PEER, KNOWN, "any"],
  ["a vouched peer whose card names another origin", true, PEER, OTHER, "public-or-loopback"],
  ["a vouched peer whose card names another port of its host", true, PEER, "http://10.0.0.1:1/", "public-or-loopback"],
  ["a vouched peer whose card names another scheme", true, PEER, "https://10.0.0.1:9900/", "public-or-loopback"],
  ["a model's URL", false, PEER, PEER, "public-or-loopback"],
  ["a model's URL at the origin of a configured peer", false, KNOWN, `${KNOWN}rpc`, "any"],
  ["a model's URL whose card names a configured peer's origin", false, PEER, KNOWN, "public-or-loopback"],
  ["a model's URL whose card names another origin", false, PEER, OTHER, "public-or-loopback"],
];

describe("which addresses a call may reach", () => {
  for (const [what, vouched, peerUrl, callUrl, policy] of TABLE) {
    it(`${policy} for ${what}`, () => {
      assert.equal(addressPolicy({ vouched, peerUrl, callUrl, configuredUrls: [KNOWN, "no url"] }), policy);
    });
  }
});
