import assert from "node:assert/strict";
import { A2aError } from "../../../../src/core/platform/errors.ts";
import { createRateLimits } from "../../../../src/inbound/limits/rate-limits.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";

const ALICE = { principal: { key: "peer:alice", name: "alice" }, address: "192.0.2.1" };
const BOB = { principal: { key: "peer:bob", name: "bob" }, address: "192.0.2.1" };

function createRig(perMin = 3) {
  const clock = createFakeClock();
  const rule = { perMin };
  const rates = createRateLimits(clock, () => rule.perMin);
  const post = (method: string, caller = ALICE, contentLength = 100): number | undefined => {
    try {
      rates.enter(caller, contentLength).count({ method });
      return undefined;
    } catch (error) {
      assert.ok(error instanceof A2aError && error.code === "RATE_LIMITED");
      return error.retryAfterSec;
    }
  };
  return { clock, rule, rates, post };
}

describe("rate limits", () => {
  it("take so many requests a minute, and then say how long to wait (G11)", () => {
    const { post, clock } = createRig();
    for (let nth = 0; nth < 3; nth++) assert.equal(post("SendMessage"), undefined);
    assert.equal(post("SendMessage"), 61);
    clock.tick(61_000);
    assert.equal(post("SendMessage"), undefined);
  });

  it("count each principal for itself, also from one address (X18)", () => {
    const { post } = createRig(1);
    assert.equal(post("SendMessage"), undefined);
    assert.notEqual(post("SendMessage"), undefined);
    assert.equal(post("SendMessage", BOB), undefined);
  });

  for (const method of ["GetTask", "SubscribeToTask", "tasks/get", "tasks/subscribe", "tasks/resubscribe"]) {
    it(`take ten times as many ${method}, apart from all else`, () => {
      const { post } = createRig(2);
      for (let nth = 0; nth < 2; nth++) assert.equal(post("SendMessage"), undefined);
      for (let nth = 0; nth < 20; nth++) assert.equal(post(method), undefined);
      assert.equal(post(method), 61);
    });
  }

  it("let polls leave room for calls", () => {
    const { post } = createRig(2);
    for (let nth = 0; nth < 30; nth++) post("GetTask");
    assert.equal(post("SendMessage"), undefined);
  });

  it("refuse before the body is read what cannot be a poll, or has no room even then", () => {
    const { post, rates } = createRig(1);
    post("SendMessage");
    assert.throws(() => rates.enter(ALICE, 1_000_000), { code: "RATE_LIMITED" });
    rates.enter(ALICE, undefined);
    for (let nth = 0; nth < 10; nth++) post("GetTask");
    assert.throws(() => rates.enter(ALICE, 10), { code: "RATE_LIMITED" });
  });

  it("count a request whose body never came, or was no request", () => {
    const { post, rates } = createRig(2);
    rates.enter(ALICE, 10).countUnread();
    rates.enter(ALICE, 10).count("no request");
    assert.notEqual(post("SendMessage"), undefined);
  });

  it("hold for requests that are under way at the same time", () => {
    const { rates } = createRig(1);
    const [first, second] = [rates.enter(ALICE, 10), rates.enter(ALICE, 10)];
    first.count({ method: "SendMessage" });
    assert.throws(() => second.count({ method: "SendMessage" }), { code: "RATE_LIMITED" });
  });

  it("of 0 are none (G09)", () => {
    const { post, rates } = createRig(0);
    for (let nth = 0; nth < 1000; nth++) assert.equal(post("SendMessage"), undefined);
    for (let nth = 0; nth < 1000; nth++) assert.equal(rates.refused("192.0.2.1"), undefined);
  });

  it("that are changed act at once", () => {
    const { post, rule } = createRig(1);
    post("SendMessage");
    rule.perMin = 2;
    assert.equal(post("SendMessage"), undefined);
    rule.perMin = 1;
    assert.notEqual(post("SendMessage"), undefined);
    rule.perMin = 0;
    assert.equal(post("SendMessage"), undefined);
  });

  it("hold for refused credentials of one address, and lock out no caller with right ones there", () => {
    const { post, rates } = createRig(3);
    for (let nth = 0; nth < 3; nth++) assert.equal(rates.refused("192.0.2.1"), undefined);
    assert.equal(rates.refused("192.0.2.1")?.code, "RATE_LIMITED");
    assert.equal(rates.refused("192.0.2.2"), undefined);
    assert.equal(post("SendMessage"), undefined);
  });

  it("cannot be made to remember without end, nor to forget, by a flood of addresses", () => {
    const { post, rates } = createRig(1);
    post("SendMessage");
    for (let nth = 0; nth < 20_000; nth++) rates.refused(`10.${nth >> 16}.${(nth >> 8) & 255}.${nth & 255}`);
    assert.notEqual(post("SendMessage"), undefined);
    assert.equal(post("SendMessage", BOB), undefined);
  });
});
