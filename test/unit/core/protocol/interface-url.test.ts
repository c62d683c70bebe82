import assert from "node:assert/strict";
import { reachableUrl } from "../../../../src/core/protocol/interface-url.ts";

describe("the address of an interface", () => {
  it("stands beside the card when it is relative", () => {
    const card = "https://h.example:8443/agents/x/.well-known/agent-card.json?v=1";
    assert.equal(reachableUrl("/rpc?a=1", card), "https://h.example:8443/rpc?a=1");
    assert.equal(reachableUrl("../rpc", card), "https://h.example:8443/agents/x/rpc");
    assert.equal(reachableUrl("//other.example/rpc", card), "https://other.example/rpc");
  });

  it("keeps its exact spelling when it is absolute", () => {
    for (const url of [
      "http://h.example",
      "http://h.example:80/",
      "https://h/runtimes/arn%3Aaws%2Fx/",
      "HTTP://H/a/../b",
    ]) {
      assert.equal(reachableUrl(url, "http://c/card.json"), url);
    }
  });

  it("uses the card's host in place of every-interface addresses, with its own port and path", () => {
    assert.equal(reachableUrl("http://0.0.0.0:9999/a?b=1", "http://10.0.0.7:80/c"), "http://10.0.0.7:9999/a?b=1");
    assert.equal(reachableUrl("http://[::]:9999/", "http://[fe80::1]/c"), "http://[fe80::1]:9999/");
    assert.equal(reachableUrl("https://0:9/", "http://h.example/c"), "https://h.example:9/");
  });

  it("leaves alone what is no http url", () => {
    for (const text of ["grpc.example.com:443", "grpc://h:1/", "", "http://", "http://[x/", "ftp://0.0.0.0/"]) {
      const changed = reachableUrl(text, "http://c/card.json");
      if (text !== "") assert.equal(changed, text);
    }
    assert.equal(reachableUrl("/rpc", "not a url"), "/rpc");
    assert.equal(reachableUrl("http://0.0.0.0:1/", "not a url"), "http://0.0.0.0:1/");
  });
});
