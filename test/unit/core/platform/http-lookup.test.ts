// Which addresses a request reaches, and that the checked address is the one that is used.

import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { type A2aError, isA2aError } from "../../../../src/core/platform/errors.ts";
import { createHttpPort } from "../../../../src/core/platform/http.ts";
import type { Resolve } from "../../../../src/core/platform/http-lookup.ts";
import type { AddressPolicy, HttpRequest } from "../../../../src/core/platform/http-types.ts";
import { NETWORK_RULES } from "../../../../src/core/security/call-rule.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { startHttpPeer } from "../../../support/http-peer.ts";

const resolveTo =
  (...addresses: string[]): Resolve =>
  (_host, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

const request = (url: string, addresses: AddressPolicy): HttpRequest => ({
  method: "GET",
  url,
  headers: {},
  connectTimeoutMs: 10_000,
  maxBytes: 1000,
  signal: new AbortController().signal,
  addresses,
});

const refused = (message: RegExp) => (error: unknown) => {
  assert.ok(isA2aError(error, "ADDRESS_REFUSED"), `expected ADDRESS_REFUSED, got ${String(error)}`);
  assert.match(error.message, message);
  return true;
};

describe("addresses of outbound HTTP", () => {
  const clock = createFakeClock();
  const tryCall = async (url: string, addresses: AddressPolicy, resolve: Resolve = resolveTo()): Promise<void> => {
    const http = createHttpPort({ clock, network: NETWORK_RULES, resolve });
    try {
      (await http.request(request(url, addresses))).close();
    } finally {
      http.close();
    }
  };

  const PRIVATE = ["10.0.0.5", "192.168.1.9", "[fd00::1]", "0.0.0.0", "0xa000005", "[::ffff:10.0.0.5]", "100.64.0.1"];
  for (const host of PRIVATE) {
    it(`refuses the private literal ${host} under public-or-loopback`, async () => {
      await assert.rejects(tryCall(`http://${host}:9/`, "public-or-loopback"), refused(/private address/));
    });
  }

  const LINK_LOCAL = ["169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]", "2852039166"];
  for (const host of LINK_LOCAL) {
    it(`refuses the link-local literal ${host} whatever the policy`, async () => {
      await assert.rejects(tryCall(`http://${host}:9/`, "any"), refused(/link-local address.*never called/));
    });
  }

  it("refuses a name that leads to a private address under public-or-loopback", async () => {
    await assert.rejects(
      tryCall("http://inside.example/", "public-or-loopback", resolveTo("10.1.2.3")),
      refused(/inside\.example leads to the private address 10\.1\.2\.3/),
    );
  });

  it("refuses a name of which one address is private, so that it cannot switch", async () => {
    await assert.rejects(
      tryCall("http://mixed.example/", "public-or-loopback", resolveTo("127.0.0.1", "10.1.2.3")),
      refused(/10\.1\.2\.3/),
    );
  });

  for (const [host, kind] of [
    ["127.0.0.1", "loopback"],
    ["[::1]", "loopback"],
    ["10.0.0.5", "private"],
    ["169.254.169.254", "link-local"],
  ] as const) {
    it(`refuses ${host} and a name that leads there under public`, async () => {
      const address = host.replace(/[[\]]/g, "");
      await assert.rejects(tryCall(`http://${host}:9/`, "public"), refused(new RegExp(`${kind} address`)));
      await assert.rejects(
        tryCall("http://hook.example/", "public", resolveTo("93.184.216.34", address)),
        refused(new RegExp(`hook\\.example leads to the ${kind} address`)),
      );
    });
  }

  it("connects to the address that was checked, with the name as Host", async () => {
    const peer = await startHttpPeer((_request, response) => response.end());
    let lookups = 0;
    const resolve: Resolve = (_host, done) => {
      lookups += 1;
      // A second look-up would lead elsewhere.
      resolveTo(lookups === 1 ? "127.0.0.1" : "10.1.2.3")(_host, done);
    };
    await tryCall(`http://rebind.example:${peer.port}/`, "public-or-loopback", resolve);
    assert.equal(lookups, 1);
    assert.equal(peer.requests[0]?.headers.host, `rebind.example:${peer.port}`);
    await peer.stop();
  });

  it("tries the other addresses of a name when the first does not answer", async () => {
    const peer = await startHttpPeer((_request, response) => response.end());
    await tryCall(`http://two.example:${peer.port}/`, "any", resolveTo("::1", "127.0.0.1"));
    assert.equal(peer.requests.length, 1);
    await peer.stop();
  });

  it("leaves out the link-local address of a name that a person vouches for", async () => {
    const peer = await startHttpPeer((_request, response) => response.end());
    await tryCall(`http://box.local:${peer.port}/`, "any", resolveTo("fe80::1", "127.0.0.1"));
    assert.equal(peer.requests.length, 1);
    await peer.stop();
  });

  it("says that a name cannot be resolved", async () => {
    const missing: Resolve = (_host, done) => done(Object.assign(new Error("ENOTFOUND"), { code: "ENOTFOUND" }), []);
    await assert.rejects(tryCall("http://nowhere.example/", "any", missing), (error: A2aError) => {
      assert.equal(error.code, "PEER_UNREACHABLE");
      assert.match(error.message, /nowhere\.example.*cannot be resolved/);
      return true;
    });
  });

  it("says that a name has no address", async () => {
    await assert.rejects(tryCall("http://empty.example/", "any"), /empty\.example has no address/);
  });
});
