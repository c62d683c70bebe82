import assert from "node:assert/strict";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { createLiveHost, type LiveSession } from "../../../../src/pi/host/live-host.ts";
import { createFakeContext, createFakePi } from "../../../support/fake-pi.ts";

const LAUNCH = { extensionPaths: [], discoverExtensions: true, tools: {}, ownPackageDir: "/package" };

function session(fields: Record<string, unknown> = {}): {
  live: LiveSession;
  notified: { text: string }[];
  pi: ExtensionAPI;
} {
  const pi = createFakePi().api;
  const { ctx, notified } = createFakeContext(fields);
  return { live: { pi, ctx, notes: { add: () => undefined, close: () => undefined }, launch: LAUNCH }, notified, pi };
}

function stale(): never {
  throw new Error("this ctx is stale");
}

describe("the live host", () => {
  it("has no session before the first session_start", () => {
    const host = createLiveHost();
    assert.equal(host.current(), undefined);
    assert.equal(host.isIdle(), false);
    assert.deepEqual(host.commands(), []);
    assert.deepEqual(host.tools(), []);
    assert.equal(host.sessionName(), undefined);
    host.toast("nobody hears this", "info");
  });

  it("reads values anew, because the person may choose another model", () => {
    const host = createLiveHost();
    let model = { id: "one" };
    const { live } = session();
    Object.defineProperty(live.ctx, "model", { get: () => model });
    host.bind(live);
    model = { id: "two" };
    assert.equal(host.current()?.model?.id, "two");
  });

  it("takes the placeholder of a host without a model for no model", () => {
    const host = createLiveHost();
    host.bind(session({ model: { provider: "unknown", id: "unknown", name: "unknown", api: "unknown" } }).live);
    assert.equal(host.current()?.model, undefined);
    const named = { provider: "openrouter", id: "unknown", name: "unknown" };
    host.bind(session({ model: named }).live);
    assert.equal(host.current()?.model, named);
  });

  it("keeps the last values while the host replaces the session, and shows nothing on the old one (L03)", () => {
    const host = createLiveHost();
    const { live, notified, pi } = session({ cwd: "/first" });
    host.bind(live);
    host.release(pi);
    host.toast("late", "info");
    assert.equal(host.current()?.cwd, "/first");
    assert.equal(host.isIdle(), false);
    assert.equal(notified.length, 0);
  });

  it("survives a session that went stale without a shutdown (L03)", () => {
    const host = createLiveHost();
    const { live } = session({ cwd: "/first", isIdle: stale });
    host.bind(live);
    Object.defineProperty(live.ctx, "cwd", { get: stale });
    Object.defineProperty(live.ctx, "ui", { get: stale });
    assert.equal(host.current()?.cwd, "/first");
    assert.equal(host.isIdle(), false);
    host.toast("late", "info");
    host.status("late");
  });

  it("does not forget the new session when the old one shuts down after it", () => {
    const host = createLiveHost();
    const old = session({ cwd: "/old" });
    const fresh = session({ cwd: "/new" });
    host.bind(old.live);
    host.bind(fresh.live);
    host.release(old.pi);
    host.toast("hello", "info");
    assert.equal(host.current()?.cwd, "/new");
    assert.equal(fresh.notified.length, 1);
  });

  it("takes a host without project trust as trusting, and else asks it", () => {
    const host = createLiveHost();
    host.bind(session().live);
    assert.equal(host.current()?.projectTrusted, true);
    host.bind(session({ isProjectTrusted: () => false }).live);
    assert.equal(host.current()?.projectTrusted, false);
  });
});
