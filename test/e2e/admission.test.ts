// Who is let in, between real sessions: what was refused and how to allow it is on the screen, on both sides.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { openStage, type Stage, serve } from "../support/e2e-stage.ts";
import type { PiProcess } from "../support/pi-process.ts";
import { skipBecause } from "../support/skip-because.ts";

const OWN_ADDRESS = Object.values(networkInterfaces())
  .flatMap((entries) => entries ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

describe("admission between sessions", () => {
  let stage: Stage;
  before(() => {
    stage = openStage();
  });
  after(() => stage.close());

  const settings = (a2a: object): void => {
    const all = { retry: { enabled: false }, a2a: { ...a2a, server: { port: 0, ...serverOf(a2a) } } };
    writeFileSync(join(stage.root, "agent", "settings.json"), JSON.stringify(all));
  };
  const open = (name: string, env: Readonly<Record<string, string>> = {}): Promise<PiProcess> =>
    stage.session(stage.workspace(name), { env });

  it("refuses a wrong token, and the caller reads what was refused and how to be let in", async () => {
    settings({});
    const worker = await open("worker", { A2A_BEARER_TOKEN: "the-right-token" });
    const url = await serve(worker);
    settings({ peers: { worker: { url, auth: { type: "bearer", token: "the-wrong-token" } } } });
    const caller = await open("caller");
    const refused = (await caller.command("/a2a-send worker say hello")).join("\n");
    assert.match(
      refused,
      /HTTP 401: .*the token that was sent is not one of this server; send Authorization: Bearer <token>/,
    );
    assert.match(refused, /It refused the bearer token of a2a\.peers\.worker\.auth/);
    assert.doesNotMatch(refused, /the-(right|wrong)-token/);

    settings({ peers: { worker: { url, auth: { type: "bearer", token: "the-right-token" } } } });
    assert.match((await caller.command("/a2a-send worker say hello")).join("\n"), /completed/);
  });

  it("stays on this machine when every address is asked for without a token, and says how to have it", async () => {
    settings({ server: { enabled: true, host: "0.0.0.0" } });
    const pi = await open("wide-open");
    const said = await pi.notification(/Not listening on 0\.0\.0\.0/);
    assert.match(said, /listening on 127\.0\.0\.1:\d+\./);
    assert.match(said, /a2a\.server\.sharedToken or a2a\.server\.peerTokens \(A2A_BEARER_TOKEN, A2A_PEER_TOKENS\)/);
    assert.match(said, /Who may call: every program on this machine, nobody from outside/);
    assert.match((await pi.command("/a2a-status")).join("\n"), /Not listening on 0\.0\.0\.0/);
  });

  it("listens on every address with a token, and a changed token counts at once (G11)", async function () {
    if (OWN_ADDRESS === undefined) return skipBecause(this, "this machine has no address but loopback");
    settings({ server: { host: "0.0.0.0", peerTokens: { phone: "first-token" } } });
    const pi = await open("wide");
    const said = (await pi.command("/a2a-server start")).join("\n");
    const port = /listening on 0\.0\.0\.0:(\d+)/.exec(said)?.[1];
    assert.ok(port !== undefined, said);
    assert.match(said, /Agent Card: http:\/\/(?!0\.0\.0\.0)[\d.]+:\d+\/\.well-known\/agent-card\.json/);
    assert.match(said, /Who may call: phone with its own token, from wherever this address is reached/);
    assert.doesNotMatch(said, /first-token/);
    const url = `http://${OWN_ADDRESS}:${port}/`;
    const statusOf = (token: string) => statusFor(url, token);
    assert.equal(await statusOf("first-token"), 200);
    settings({ server: { host: "0.0.0.0", peerTokens: { phone: "second-token" } } });
    await pi.command("/a2a-status");
    assert.equal(await statusOf("first-token"), 401);
    assert.equal(await statusOf("second-token"), 200);
  });

  it("lets two sessions with tokens of their own reach each other, and each sees the other's name", async () => {
    const tokens = { server: { peerTokens: { "session-a": "token-of-a", "session-b": "token-of-b" } } };
    settings(tokens);
    const [a, b] = await Promise.all(
      ["session-a", "session-b"].map((name) => open(name, { A2A_SELF_IDENTITY: name, A2A_AGENT_NAME: name })),
    );
    assert.ok(a !== undefined && b !== undefined);
    const urls = [await serve(a), await serve(b)];
    settings({ ...tokens, peers: { a: { url: urls[0] }, b: { url: urls[1] } } });
    assert.match((await a.command("/a2a-send b say hello from a")).join("\n"), /hello from a/);
    assert.match(await b.notification(/\[A2A inbound\].*from session-a/), /session-a/);
    assert.match((await b.command("/a2a-send a say hello from b")).join("\n"), /hello from b/);
    assert.match(await a.notification(/\[A2A inbound\].*from session-b/), /session-b/);
  });
});

/** The HTTP status of a call with this token, on the way that a caller from outside takes. */
async function statusFor(url: string, token: string): Promise<number> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} });
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  return (await fetch(url, { method: "POST", headers, body })).status;
}

function serverOf(a2a: object): object {
  return "server" in a2a && typeof a2a.server === "object" && a2a.server !== null ? a2a.server : {};
}
