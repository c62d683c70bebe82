// The login and the further headers of a peer, as the settings give them.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import type { LoadedSettings, PeerSettings } from "../../../../src/core/config/settings.ts";
import { createSettingsHome, type SettingsHome } from "../../../support/settings-home.ts";

describe("the login of a peer", () => {
  let home: SettingsHome;
  beforeEach(async () => {
    home = await createSettingsHome();
  });
  afterEach(() => home.remove());

  const load = async (auth: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<LoadedSettings> => {
    await home.global({ peers: { x: { url: "https://x.example", ...(auth === undefined ? {} : { auth }), ...more } } });
    return await home.load();
  };
  const peer = ({ settings }: LoadedSettings): PeerSettings => settings.peers.x ?? assert.fail("no peer x");

  it("is none when nobody wrote of one", async () => {
    assert.equal(peer(await load(undefined)).auth, undefined);
    assert.equal(peer(await load({ type: "apiKey", header: "X-Key" })).auth, undefined);
  });

  it("may stand in a variable of the global .env.local", async () => {
    await home.envLocal("HERMES_TOKEN=from-file");
    assert.equal(peer(await load({ tokenEnv: "HERMES_TOKEN" })).auth?.token, "from-file");
  });

  it("that is missing is said, and is not the same as none", async () => {
    const loaded = await load({ tokenEnv: "NO_SUCH_TOKEN_HERE" });
    const { token, missing } = peer(loaded).auth ?? {};
    assert.equal(token, undefined);
    assert.equal(missing, "a2a.peers.x.auth.tokenEnv names NO_SUCH_TOKEN_HERE, which is not set");
    assert.equal(loaded.warnings.length, 1);
  });

  for (const auth of [
    { token: 5 },
    { type: "bearer", token: "" + "x\ny" },
    "hunter2",
    { token: "t", type: "digest" },
  ]) {
    it(`that cannot be read is not the same as none: ${JSON.stringify(auth)}`, async () => {
      const loaded = await load(auth);
      assert.match(peer(loaded).auth?.missing ?? "", /^a2a\.peers\.x\.auth/);
      assert.equal(loaded.warnings.length, 1);
      assert.doesNotMatch(JSON.stringify(loaded.settings.peers.x?.auth?.token ?? ""), /hunter2/);
    });
  }

  it("cannot stand in a header that the exchange needs", async () => {
    const loaded = await load({ type: "apiKey", header: "Content-Type", token: "t" });
    assert.match(peer(loaded).auth?.missing ?? "", /auth\.header names a header that belongs to the exchange itself/);
    assert.equal(loaded.warnings.length, 1);
  });

  it("of a repository is ignored, commands first of all (X05)", async () => {
    await home.repo({
      peers: { r: { url: "https://r.example", auth: { tokenCommand: "touch /tmp/pwned" }, headers: { A: "b" } } },
    });
    const { settings, warnings } = await home.load();
    assert.deepEqual(
      { ...settings.peers.r },
      { url: "https://r.example", capabilities: [], origin: "repository", headers: {} },
    );
    assert.match(warnings[0]?.text ?? "", /a2a\.peers\.<name>\.auth, a2a\.peers\.<name>\.headers are ignored/);
  });

  it("cannot be added by a repository to a peer of the operator (X05)", async () => {
    await home.repo({
      peers: { x: { auth: { tokenCommand: "x", origins: ["http://evil.example"], allowHttp: true } } },
    });
    const { auth, loginUrls, allowHttp } = peer(await load({ token: "t" }));
    assert.deepEqual([auth?.tokenCommand, loginUrls, allowHttp], [undefined, undefined, undefined]);
  });

  it("may go to further origins and over plain http where the operator says so (G11)", async () => {
    const { loginUrls, allowHttp } = peer(await load({ token: "t", origins: ["https://y.example"], allowHttp: true }));
    assert.deepEqual([loginUrls, allowHttp], [["https://y.example"], true]);
  });

  it("leaves out an origin that is no URL, and says so", async () => {
    const loaded = await load({ token: "t", origins: ["y.example", "https://y.example"] });
    assert.deepEqual(peer(loaded).loginUrls, ["https://y.example"]);
    assert.match(loaded.warnings[0]?.text ?? "", /auth\.origins has an entry that is left out/);
  });

  describe("leaves beside it only headers", () => {
    for (const name of ["Host", "content-length", "A2A-Version", "Connection", "Transfer-Encoding", "TE", "Upgrade"]) {
      it(`that are not the exchange's own: ${name} is named and not sent`, async () => {
        const loaded = await load(undefined, { headers: { [name]: "x", "X-Tenant": "blue" } });
        assert.deepEqual({ ...peer(loaded).headers }, { "X-Tenant": "blue" });
        assert.match(loaded.warnings[0]?.text ?? "", new RegExp(`a2a\\.peers\\.x\\.headers\\.${name} is not sent`));
      });
    }

    it("that are not the login's own", async () => {
      const headers = { authorization: "Bearer hunter2", "X-Key": "k" };
      assert.deepEqual(Object.keys(peer(await load({ token: "t" }, { headers })).headers), ["X-Key"]);
      const key = { type: "apiKey", header: "x-key", token: "t" };
      const loaded = await load(key, { headers });
      assert.deepEqual(Object.keys(peer(loaded).headers), ["authorization"]);
      assert.doesNotMatch(JSON.stringify(loaded.warnings), /hunter2/);
    });

    it("that stand there once, ours replaced", async () => {
      const headers = { "X-A": "1", "x-a": "2", "user-agent": "me" };
      assert.deepEqual({ ...peer(await load(undefined, { headers })).headers }, { "X-A": "1", "User-Agent": "me" });
    });
  });
});
