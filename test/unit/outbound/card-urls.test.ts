import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { cardUrls } from "../../../src/outbound/card-urls.ts";

describe("where a card may stand", () => {
  const CASES: readonly [address: string, urls: readonly string[]][] = [
    ["http://a.example", ["http://a.example/.well-known/agent-card.json", "http://a.example/.well-known/agent.json"]],
    ["http://a.example/", ["http://a.example/.well-known/agent-card.json", "http://a.example/.well-known/agent.json"]],
    [
      "http://a.example:9901/agents/foo/?x=1",
      [
        "http://a.example:9901/agents/foo/.well-known/agent-card.json?x=1",
        "http://a.example:9901/agents/foo/.well-known/agent.json?x=1",
        "http://a.example:9901/agents/foo/v1/card?x=1",
        "http://a.example:9901/.well-known/agent-card.json?x=1",
        "http://a.example:9901/.well-known/agent.json?x=1",
        "http://a.example:9901/agents/foo/?x=1",
      ],
    ],
    [
      "http://a.example/a2a/7f-3",
      [
        "http://a.example/a2a/7f-3/.well-known/agent-card.json",
        "http://a.example/a2a/7f-3/.well-known/agent.json",
        "http://a.example/a2a/7f-3/v1/card",
        "http://a.example/.well-known/agent-card.json?assistant_id=7f-3",
        "http://a.example/.well-known/agent-card.json",
        "http://a.example/.well-known/agent.json",
        "http://a.example/a2a/7f-3",
      ],
    ],
    [
      "http://a.example/a2a/bob/v1/card",
      [
        "http://a.example/a2a/bob/v1/card",
        "http://a.example/a2a/bob/v1/card/.well-known/agent-card.json",
        "http://a.example/a2a/bob/v1/card/.well-known/agent.json",
        "http://a.example/.well-known/agent-card.json",
        "http://a.example/.well-known/agent.json",
      ],
    ],
    [
      "http://a.example/.well-known/agent-card.json?assistant_id=7",
      ["http://a.example/.well-known/agent-card.json?assistant_id=7"],
    ],
    ["http://a.example/cards/foo.JSON", ["http://a.example/cards/foo.JSON"]],
  ];
  for (const [address, urls] of CASES) {
    it(`tries ${urls.length} for ${address}`, () => assert.deepEqual(cardUrls(address), urls));
  }

  it("keeps the percent-encoding of a path", () => {
    assert.equal(
      cardUrls("https://b.example/runtimes/arn%3Aaws%2Fx/invocations/")[0],
      "https://b.example/runtimes/arn%3Aaws%2Fx/invocations/.well-known/agent-card.json",
    );
  });
});
