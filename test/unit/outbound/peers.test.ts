import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Settings } from "../../../src/core/config/settings.ts";
import { outgoingFor } from "../../../src/outbound/logins.ts";
import { resolvePeer } from "../../../src/outbound/peers.ts";
import { testSettings } from "../../support/outbound-rig.ts";
import { refusal } from "../../support/refusal.ts";

const settings: Settings = testSettings({
  peers: {
    researcher: { url: "http://192.168.1.5:9900/a2a", timeout: 20 },
    hermes_desktop: { url: "http://127.0.0.1:9901" },
    broken: { url: "no url" },
    secret: { url: "http://me:pw@127.0.0.1:9901" },
  },
});

function addressesOf(agent: string, typed: boolean): string {
  const target = resolvePeer(agent, typed, settings);
  return outgoingFor(target, target.peer.url, settings).addresses;
}

describe("looking a peer up", () => {
  it("takes a configured name with its url and its own timeout in seconds", () => {
    assert.deepEqual(resolvePeer("researcher", false, settings), {
      peer: { name: "researcher", url: "http://192.168.1.5:9900/a2a", source: "configured", timeoutMs: 20_000 },
      typed: false,
    });
  });

  it("gives a peer without a timeout timeouts.send", () => {
    assert.equal(resolvePeer(" hermes_desktop ", false, settings).peer.timeoutMs, settings.timeouts.send);
  });

  it("names a URL by host and port and keeps it as it was written", () => {
    assert.deepEqual(resolvePeer("http://agent.example:81/x/?q=%2F", false, settings).peer, {
      name: "agent.example:81",
      url: "http://agent.example:81/x/?q=%2F",
      source: "url",
      timeoutMs: settings.timeouts.send,
    });
  });

  it("knows the URL of a configured peer, with or without a final slash", () => {
    assert.equal(resolvePeer("http://192.168.1.5:9900/a2a/", false, settings).peer.name, "researcher");
  });

  it("lets a model's URL reach private addresses only at the origin of a configured peer", () => {
    assert.equal(addressesOf("http://192.168.1.5:9900/other", false), "any");
    assert.equal(addressesOf("http://192.168.1.6:9900/", false), "public-or-loopback");
    assert.equal(addressesOf("http://192.168.1.5:9901/", false), "public-or-loopback");
  });

  it("lets a typed URL reach private addresses", () => {
    assert.equal(addressesOf("http://192.168.1.6:9900/", true), "any");
  });

  it("says of an unknown name what was meant and how to configure it", () => {
    const error = refusal("PEER_UNKNOWN", () => resolvePeer("reseacher", false, settings));
    assert.match(error.message, /no peer is called "reseacher"/);
    assert.match(error.hint, /Did you mean researcher\?.*settings\.json/);
  });

  it("lists the configured peers when none is close", () => {
    assert.match(
      refusal("PEER_UNKNOWN", () => resolvePeer("zzz", false, settings)).hint,
      /Configured peers: researcher/,
    );
  });

  it("says that an address lacks its scheme", () => {
    assert.match(
      refusal("PEER_UNKNOWN", () => resolvePeer("localhost:9910", false, settings)).hint,
      /http:\/\/localhost:9910/,
    );
  });

  it("does not take members of every object for peers", () => {
    for (const name of ["constructor", "__proto__", "toString", ""]) {
      refusal("PEER_UNKNOWN", () => resolvePeer(name, false, settings));
    }
  });

  it("shows a hostile name as one short line", () => {
    const error = refusal("PEER_UNKNOWN", () => resolvePeer(`a\u001b[2J\n${"x".repeat(500)}`, false, settings));
    assert.ok(!/\p{Cc}/u.test(error.message) && error.message.length < 150);
  });

  it("refuses addresses that are no http URL or hold a login", () => {
    refusal("ADDRESS_REFUSED", () => resolvePeer("ftp://agent.example/", true, settings));
    refusal("ADDRESS_REFUSED", () => resolvePeer("http://", true, settings));
    refusal("ADDRESS_REFUSED", () => resolvePeer("http://u:p@agent.example/", true, settings));
    refusal("CONFIG_INVALID", () => resolvePeer("broken", true, settings));
    const error = refusal("CONFIG_INVALID", () => resolvePeer("secret", true, settings));
    assert.ok(!error.message.includes("pw"));
  });

  it("does not repeat the login of an address that it refuses", () => {
    for (const url of [
      "http://me:pw@127.0.0.1:1/",
      `http://me:pw${"x".repeat(100)}@h/`,
      "ftp://me:pw@h",
      "http://me:pw@",
    ]) {
      const error = refusal("ADDRESS_REFUSED", () => resolvePeer(url, true, settings));
      assert.doesNotMatch(error.message + error.hint, /pw|me:/);
    }
    const unknown = refusal("PEER_UNKNOWN", () => resolvePeer("me:pw@host:9910", true, settings));
    assert.doesNotMatch(unknown.message + unknown.hint, /pw/);
  });
});
