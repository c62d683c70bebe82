import assert from "node:assert/strict";
import { bindOf } from "../../../../src/core/security/bind.ts";
import { settingsWith } from "../../../support/server-settings.ts";

const bind = (server: Parameters<typeof settingsWith>[0]) => bindOf(settingsWith(server).server);

describe("bindOf", () => {
  for (const host of ["127.0.0.1", "::1", "[::1]", "localhost", "127.0.0.9"]) {
    it(`listens on ${host} without a token`, () => {
      assert.deepEqual(bind({ host }), { host, wide: false });
    });
  }

  for (const host of ["0.0.0.0", "::", "[::]", "192.168.1.5", "fe80::1", "8.8.8.8", "pi.lan", "0"]) {
    it(`stays on this machine when ${host} is asked for and nobody would be kept out`, () => {
      assert.deepEqual(bind({ host }), { host: "127.0.0.1", wide: false, refusedHost: host });
      const gates = { trustedPeers: ["alice"], allowAllUsers: true, publicUrl: "https://a.example" };
      assert.deepEqual(bind({ host, ...gates }).host, "127.0.0.1");
    });

    it(`listens on ${host} with a token of either kind`, () => {
      assert.deepEqual(bind({ host, sharedToken: "s" }), { host, wide: true });
      assert.deepEqual(bind({ host, peerTokens: { alice: "t" } }), { host, wide: true });
    });
  }
});
