// Settings whose part is not built yet never come out of a loader; here they are merged by hand.

import assert from "node:assert/strict";
import { buildSettings } from "../../../../src/core/config/build-settings.ts";
import {
  createLayer,
  type Fault,
  type Finding,
  type LayerKind,
  mergeLayers,
} from "../../../../src/core/config/layer.ts";
import type { SettingKey } from "../../../../src/core/config/schema-rows.ts";
import type { SettingValue } from "../../../../src/core/config/setting-row.ts";
import type { LoadedSettings } from "../../../../src/core/config/settings.ts";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { needUsableSettings } from "../../../../src/pi/server-control.ts";
import { plainSettings } from "../../../support/settings-home.ts";

type Values = readonly (readonly [key: SettingKey, value: SettingValue, name?: string])[];

function findings(values: Values): Finding[] {
  return values.flatMap(([key, value, name = ""]): Finding[] => [
    ...(key.startsWith("peers.") ? [{ peer: name }] : []),
    { entry: { key, name, value, source: "file" } },
  ]);
}

function build(values: Values, kind: LayerKind = "global", faults: readonly Fault[] = []): LoadedSettings {
  const layer = createLayer({ kind, source: "file" }, [...findings(values), ...faults.map((fault) => ({ fault }))]);
  return buildSettings(mergeLayers([layer]), (name) => (name === "SET" ? " from-variable " : undefined));
}

describe("built settings", () => {
  it("hold what is needed to tell callers apart and to limit them", () => {
    const { server } = plainSettings(
      build([
        ["server.host", "0.0.0.0"],
        ["server.publicUrl", "https://a.example"],
        ["server.sharedToken", "s"],
        ["server.peerTokens", { alice: "t:1" }],
        ["server.trustedPeers", ["alice"]],
        ["server.allowAllUsers", true],
        ["server.trustedProxies", ["10.0.0.1"]],
        ["server.legacy", false],
        ["server.maxDetached", 2],
        ["server.maxPingpongTurns", 9],
        ["server.maxHops", 1],
        ["server.rateLimitPerMin", 0],
        ["server.taskRetentionDays", 0],
        ["server.durability", "disk"],
        ["server.streamPollSec", 5],
      ]),
    );
    const { host, publicUrl, sharedToken, peerTokens, trustedPeers, allowAllUsers, trustedProxies, legacy } = server;
    assert.deepEqual(
      { host, publicUrl, sharedToken, peerTokens, trustedPeers, allowAllUsers, trustedProxies, legacy },
      {
        host: "0.0.0.0",
        publicUrl: "https://a.example",
        sharedToken: "s",
        peerTokens: { alice: "t:1" },
        trustedPeers: ["alice"],
        allowAllUsers: true,
        trustedProxies: ["10.0.0.1"],
        legacy: false,
      },
    );
    const { maxDetached, maxPingpongTurns, maxHops, rateLimitPerMin, taskRetentionDays, durability } = server;
    assert.deepEqual(
      [maxDetached, maxPingpongTurns, maxHops, rateLimitPerMin, taskRetentionDays, durability, server.streamPollSec],
      [2, 9, 1, 0, 0, "disk", 5],
    );
  });

  it("find tokens and headers by their own names only", () => {
    const { settings } = build([
      ["server.peerTokens", { alice: "t" }],
      ["peers.*.url", "http://a", "a"],
      ["peers.*.headers", { "X-Key": "k" }, "a"],
    ]);
    for (const name of ["constructor", "__proto__", "toString"]) {
      assert.equal(settings.server.peerTokens[name], undefined);
      assert.equal(settings.peers.a?.headers[name], undefined);
      assert.equal(settings.discovery.gateways[name], undefined);
    }
  });

  it("hold a peer's credential, which may come from a variable", () => {
    const url: Values = [["peers.*.url", "http://a", "a"]];
    const auth = (values: Values) => build([...url, ...values]).settings.peers.a?.auth;
    assert.equal(auth([]), undefined);
    assert.equal(auth([["peers.*.auth.type", "basic", "a"]]), undefined);
    const written = auth([["peers.*.auth.token", "t", "a"]]);
    assert.deepEqual(written, { type: "bearer", header: "X-API-Key", token: "t" });
    const named: Values = [["peers.*.auth.tokenEnv", "SET", "a"]];
    assert.equal(auth(named)?.token, "from-variable");
    assert.equal(auth([...named, ["peers.*.auth.token", "t", "a"]])?.token, "t");
    assert.deepEqual(
      auth([
        ["peers.*.auth.tokenCommand", "pass a2a", "a"],
        ["peers.*.auth.type", "apiKey", "a"],
        ["peers.*.auth.header", "X-Key", "a"],
      ]),
      { type: "apiKey", header: "X-Key", tokenCommand: "pass a2a" },
    );
  });

  it("say when a variable for a credential is not set", () => {
    const { warnings } = build([
      ["peers.*.url", "http://a", "a"],
      ["peers.*.auth.tokenEnv", "UNSET", "a"],
    ]);
    assert.deepEqual(
      warnings.map(({ text }) => text),
      ["file: a2a.peers.a.auth.tokenEnv names UNSET, which is not set"],
    );
  });

  it("never give a repository's peer a credential, whatever its layer says (X06)", () => {
    const { peers } = build(
      [
        ["peers.*.url", "http://a", "a"],
        ["peers.*.capabilities", ["research"], "a"],
        ["peers.*.auth.token", "t", "a"],
        ["peers.*.headers", { "X-Key": "k" }, "a"],
      ],
      "repository",
    ).settings;
    assert.deepEqual(JSON.parse(JSON.stringify(peers.a)), {
      url: "http://a",
      origin: "repository",
      capabilities: ["research"],
      headers: {},
    });
  });

  it("hold gateways, which are on as soon as they have an address and a token", () => {
    const { discovery } = build([
      ["discovery.gateway.url", "http://g"],
      ["discovery.gateways.*.url", "http://w", "work"],
      ["discovery.gateways.*.token", "t", "work"],
      ["discovery.gateways.*.url", "http://l", "lab"],
      ["discovery.gateways.*.token", "t", "lab"],
      ["discovery.gateways.*.enabled", false, "lab"],
      ["discovery.gateways.*.channel", false, "lab"],
    ]).settings;
    assert.equal(discovery.gateway?.enabled, false);
    assert.deepEqual(
      Object.entries(discovery.gateways).map(([name, { enabled, channel }]) => [name, enabled, channel]),
      [
        ["work", true, true],
        ["lab", false, false],
      ],
    );
    assert.equal(build([]).settings.discovery.gateway, undefined);
  });

  it("hold the words of choices, and numbers of parts that are to come", () => {
    const { ui, discovery, selfIdentity } = build([
      ["ui.wake", "model"],
      ["discovery.local.ttlSec", 90],
      ["discovery.mdns.enabled", true],
      ["discovery.mdns.serviceType", "pi"],
      ["selfIdentity", "session-a"],
    ]).settings;
    assert.deepEqual([ui.wake, discovery.local.ttlSec, selfIdentity], ["model", 90, "session-a"]);
    assert.deepEqual(discovery.mdns, { enabled: true, serviceType: "pi" });
  });

  it("hold skills for the card, each filled in, and leave out those that are none", () => {
    const loaded = build([
      [
        "server.skills",
        [
          { id: "lint" },
          { name: "Docs", description: "Writes.", tags: ["md"], examples: ["x"] },
          {},
          { id: "a", tags: 1 },
        ],
      ],
    ]);
    assert.deepEqual(loaded.settings.server.skills, [
      { id: "lint", name: "lint", description: "lint", tags: ["lint"] },
      { id: "Docs", name: "Docs", description: "Writes.", tags: ["md"], examples: ["x"] },
    ]);
    assert.deepEqual(
      loaded.warnings.map(({ key, text }) => [key, text]),
      [
        ["server.skills", "file: a2a.server.skills entry 3 is left out: id and name are missing"],
        ["server.skills", "file: a2a.server.skills entry 4 is left out: tags must be a list, not 1"],
      ],
    );
  });

  describe("keep the server from starting", () => {
    const fault = (key: SettingKey, more: Partial<Fault> = {}): Fault => ({
      source: "file",
      place: `a2a.${key}`,
      problem: "is wrong",
      setting: { key, name: "" },
      ...more,
    });

    for (const key of ["server.sharedToken", "server.peerTokens", "server.trustedPeers"] as const) {
      it(`while ${key} was written and cannot be used`, () => {
        const { settings } = build([], "global", [fault(key)]);
        assert.deepEqual(settings.server.refusals, [`file: a2a.${key} is wrong; the default is used`]);
        assert.throws(
          () => needUsableSettings(settings),
          (error) => isA2aError(error, "CONFIG_INVALID"),
        );
      });
    }

    it("no longer when another source has a good value, or the rest of it is good", () => {
      const good = build([["server.sharedToken", "s"]], "environment", [fault("server.sharedToken")]);
      assert.deepEqual(good.settings.server.refusals, []);
      const rest = build([["server.peerTokens", { a: "t" }]], "global", [fault("server.peerTokens", { inPart: true })]);
      assert.deepEqual(rest.settings.server.refusals, []);
      needUsableSettings(rest.settings);
    });

    it("never for a wrong value that lets nobody in", () => {
      const { refusals } = build([], "global", [fault("server.allowAllUsers"), fault("server.port")]).settings.server;
      assert.deepEqual(refusals, []);
    });

    it("also when the fault comes after more warnings than are shown", () => {
      const many = Array.from({ length: 200 }, (_, index) => ({
        source: "file",
        place: `k${index}`,
        problem: "is wrong",
      }));
      assert.equal(build([], "global", [...many, fault("server.sharedToken")]).settings.server.refusals.length, 1);
    });
  });
});
