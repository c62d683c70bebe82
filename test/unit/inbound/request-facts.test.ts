import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import fc from "fast-check";
import { refusalOf } from "../../../src/inbound/guards.ts";
import { isLocalCaller, readFacts } from "../../../src/inbound/request-facts.ts";

function factsOf(url: string, headers: Record<string, string> = {}) {
  const request = new IncomingMessage(new Socket());
  request.url = url;
  request.method = "POST";
  Object.assign(request.headers, headers);
  return readFacts(request);
}

describe("readFacts", () => {
  it("splits every form of a target", () => {
    const paths: [url: string, path: string, host: string | undefined][] = [
      ["/", "/", "h"],
      ["//", "//", "h"],
      ["/a2a/?x=1", "/a2a/", "h"],
      ["/?x=/y", "/", "h"],
      ["?x", "/", "h"],
      ["", "/", "h"],
      ["*", "*", "h"],
      ["http://a:1/b?c", "/b", "a:1"],
      ["HTTP://a", "/", "a"],
      ["https://a?x", "/", "a"],
      ["http://", "/", ""],
      ["/http://a/b", "/http://a/b", "h"],
    ];
    for (const [url, path, host] of paths) {
      const facts = factsOf(url, { host: "h" });
      assert.deepEqual([facts.path, facts.host], [path, host], url);
    }
  });

  it("lists extensions of both header names, each once", () => {
    const listed = (headers: Record<string, string>) => factsOf("/", headers).extensions;
    assert.deepEqual(listed({}), []);
    assert.deepEqual(listed({ "a2a-extensions": " urn:a ,, urn:b,urn:a" }), ["urn:a", "urn:b"]);
    assert.deepEqual(listed({ "a2a-extensions": "urn:a", "x-a2a-extensions": "urn:b, urn:a" }), ["urn:a", "urn:b"]);
    assert.deepEqual(listed({ "x-a2a-extensions": " , " }), []);
  });

  it("calls local only who called by itself from this machine", () => {
    const local = (address: string, headers = {}) => isLocalCaller({ ...factsOf("/", headers), address });
    assert.ok(local("127.0.0.1") && local("::1") && local("127.9.9.9"));
    assert.ok(!local("10.0.0.1") && !local("203.0.113.9") && !local("unknown") && !local("fe80::1"));
    for (const header of ["x-forwarded-for", "x-forwarded-host", "x-forwarded", "forwarded", "via", "x-real-ip"]) {
      assert.ok(!local("127.0.0.1", { [header]: "x" }), header);
    }
    assert.ok(local("127.0.0.1", { "user-agent": "x-forwarded-for", "x-forwardedness": "1" }));
  });

  it("takes the version from the header, else from the query, and nothing from blanks", () => {
    assert.equal(factsOf("/?A2A-Version=0.3", { "a2a-version": " 1.0 " }).version, "1.0");
    assert.equal(factsOf("/?A2A-Version=0.3", { "a2a-version": "  " }).version, "0.3");
    assert.equal(factsOf("/?a=b&A2A-Version=1.0").version, "1.0");
    assert.notEqual(factsOf("/?A2A-Version=%E0%A4%A").version, undefined, "broken escapes are no reason to throw");
    assert.equal(factsOf("/?A2A-Version=").version, undefined);
    assert.equal(factsOf("/").version, undefined);
  });

  it("knows whether a body follows", () => {
    assert.equal(factsOf("/").hasBody, false);
    assert.equal(factsOf("/", { "content-length": "0" }).hasBody, false);
    assert.equal(factsOf("/", { "content-length": "5" }).contentLength, 5);
    assert.equal(factsOf("/", { "transfer-encoding": "chunked" }).hasBody, true);
  });

  it("and the guards take any target and any headers", () => {
    const names = fc.constantFrom(
      ...["host", "origin", "a2a-version", "content-type", "content-length", "content-encoding", "transfer-encoding"],
      ...["expect", "a2a-extensions", "x-a2a-extensions", "x-forwarded-for", "forwarded", "authorization"],
    );
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.webUrl(), fc.constantFrom("[::1", "*", "%", "127.0.0.1:x"));
    fc.assert(
      fc.property(text, fc.dictionary(names, text, { noNullPrototype: true }), (url, headers) => {
        const facts = factsOf(url, headers);
        assert.ok(facts.path !== "");
        const error = refusalOf(facts, { anyHost: false, publicUrl: "" })?.error;
        assert.ok(error === undefined || error.message.length < 500);
      }),
    );
  });
});
