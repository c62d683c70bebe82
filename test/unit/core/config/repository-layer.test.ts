import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { SETTINGS, type Setting } from "../../../../src/core/config/schema.ts";
import { outgoingFor } from "../../../../src/outbound/logins.ts";
import { resolvePeer } from "../../../../src/outbound/peers.ts";
import {
  blockWith,
  createSettingsHome,
  plainSettings,
  type SettingsHome,
  textsOf,
} from "../../../support/settings-home.ts";

/** What a hostile file would write: fitting values that differ from the default. */
function otherValue(setting: Setting): unknown {
  switch (setting.type) {
    case "boolean":
      return setting.default !== true;
    case "integer":
    case "number":
      return setting.min;
    case "enum":
      return setting.values.find((value) => value !== setting.default);
    case "string":
      return { url: "http://evil.example", folder: "/tmp" }[setting.format as string] ?? "evil";
    case "strings":
      return [setting.items === "network" ? "10.6.6.6" : "evil"];
    case "map":
      return { evil: "token" };
    case "object":
      return { evil: {} };
    case "objects":
      return [{ id: "evil" }];
    default:
      return setting satisfies never;
  }
}

const SAFE = new Set([
  "peers.*.url",
  "peers.*.timeout",
  "peers.*.capabilities",
  "timeouts.send",
  "timeouts.async",
  "timeouts.stream",
]);
const REFUSED = SETTINGS.filter(({ key }) => !SAFE.has(key));

describe("settings of a repository", () => {
  let home: SettingsHome;
  beforeEach(async () => {
    home = await createSettingsHome();
  });
  afterEach(() => home.remove());

  describe("are ignored but for the safe keys", () => {
    for (const setting of REFUSED) {
      it(`as ${setting.key} is, with one notice (X05)`, async () => {
        const before = plainSettings(await home.load());
        const peer = { peers: { x: { url: "http://a.example" } } };
        const path = await home.repo(
          setting.key.startsWith("peers") ? {} : blockWith(setting.key, otherValue(setting)),
        );
        if (setting.key.startsWith("peers")) await home.repo(merged(peer, blockWith(setting.key, otherValue(setting))));
        const loaded = await home.load();
        const { x, ...peers } = plainSettings(loaded).peers;
        assert.deepEqual({ ...plainSettings(loaded), peers }, before);
        assert.ok(x === undefined || (x.auth === undefined && Object.keys(x.headers).length === 0));
        assert.equal(textsOf(loaded).length, 1);
        const named = textsOf(loaded)[0]?.replace(`${path}: `, "") ?? "";
        const place = named.split(" ")[0] ?? "";
        assert.ok(`a2a.${setting.key.replace("*", "<name>")}.`.startsWith(`${place}.`), named);
        assert.match(named, / is ignored: a repository may set only peers\.<name>\.url/);
      });
    }

    it("and keys that no version knows, in one notice for all of them (X05)", async () => {
      const path = await home.repo({
        server: { enabled: true, host: "0.0.0.0", sharedToken: "t" },
        discovery: { gateway: { url: "http://evil" }, enrichCard: true },
        verifySsl: false,
        openDoor: true,
        peers: { a: { url: "http://a.example", trust: "all", auth: { token: "t" } } },
        timeouts: { send: 5, receive: 1 },
        "// why": "a note",
      });
      const loaded = await home.load();
      assert.deepEqual(textsOf(loaded), [
        `${path}: a2a.server, a2a.discovery, a2a.verifySsl, a2a.openDoor, a2a.peers.<name>.trust, a2a.peers.<name>.auth, ` +
          "a2a.timeouts.receive are ignored: a repository may set only peers.<name>.url, .timeout and .capabilities, and timeouts",
      ]);
    });

    it("and tells of many ignored keys in a short line, without what could draw on a terminal", async () => {
      await home.repo(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`\u001b[2J\n${index}`, 1])));
      const [text = "", ...rest] = textsOf(await home.load());
      assert.deepEqual(rest, []);
      assert.match(text, / and 492 more are ignored/);
      assert.doesNotMatch(text, /\p{Cc}/u);
    });
  });

  it("give addresses and time limits of peers, and time limits of all calls", async () => {
    await home.repo({
      peers: { helper: { url: "http://helper.example", timeout: 5 } },
      timeouts: { send: 1000, async: 2000, stream: 3000 },
    });
    const loaded = await home.load();
    assert.deepEqual(textsOf(loaded), []);
    assert.deepEqual(plainSettings(loaded).peers, {
      helper: { url: "http://helper.example", timeout: 5, origin: "repository", capabilities: [], headers: {} },
    });
    assert.deepEqual(loaded.settings.timeouts, { send: 1000, async: 2000, stream: 3000 });
  });

  it("are the weakest: every other source wins over them", async () => {
    await home.repo({ timeouts: { send: 1, async: 200, stream: 1 } });
    await home.global({ timeouts: { send: 2 } });
    assert.deepEqual((await home.load()).settings.timeouts, { send: 2, async: 200, stream: 1 });
  });

  it("name a wrong value of a safe key like any other, with what is used instead", async () => {
    const path = await home.repo({ timeouts: { send: "soon" }, peers: { "no good": { url: "http://a" } } });
    assert.deepEqual(textsOf(await home.load()), [
      `${path}: a2a.timeouts.send is "soon", not a whole number from 1 to 315360000000; 360000 is used`,
      `${path}: a2a.peers."no good" is left out: a name has at most 64 letters, digits, dots, dashes and underscores`,
    ]);
  });

  describe("never touch a peer of the operator", () => {
    it("whose name they use: all of theirs is ignored (X06)", async () => {
      const global = { peers: { hermes: { url: "http://hermes.example" } } };
      await home.global(global);
      const path = await home.repo({ peers: { hermes: { url: "http://evil.example", timeout: 1 } } });
      const loaded = await home.load();
      assert.deepEqual(plainSettings(loaded).peers, {
        hermes: { url: "http://hermes.example", origin: "operator", capabilities: [], headers: {} },
      });
      assert.match(textsOf(loaded).join(), new RegExp(`^${path}: a2a\\.peers\\.hermes \\(there is a peer of yours`));
    });

    it("also where the operator's own entry lacks its address (X06)", async () => {
      await home.global({ peers: { hermes: { timeout: 5 } } });
      await home.repo({ peers: { hermes: { url: "http://evil.example" } } });
      assert.deepEqual(plainSettings(await home.load()).peers, {});
    });

    it("also where the operator has it for this folder only", async () => {
      await home.global({ projects: { [home.repository]: { peers: { hermes: { url: "http://hermes.example" } } } } });
      await home.repo({ peers: { hermes: { url: "http://evil.example" } } });
      assert.equal((await home.load()).settings.peers.hermes?.url, "http://hermes.example");
    });
  });

  it("vouch for no address: their peers reach this machine and public hosts, nothing else (X06)", async () => {
    await home.repo({ peers: { lan: { url: "http://192.168.1.5:9900" }, here: { url: "http://127.0.0.1:6666" } } });
    const { settings } = await home.load();
    for (const agent of ["lan", "here", "http://192.168.1.5:9900/", "http://127.0.0.1:6666"]) {
      const target = resolvePeer(agent, false, settings);
      const { addresses, headers } = outgoingFor(target, target.peer.url, settings);
      assert.equal(addresses, "public-or-loopback", agent);
      assert.deepEqual(headers, {}, agent);
      assert.equal(target.peer.source, "repository", agent);
    }
    const other = resolvePeer("http://192.168.1.5:9900/other", false, settings);
    assert.equal(outgoingFor(other, other.peer.url, settings).addresses, "public-or-loopback");
  });

  it("do not take the place of the operator's peer with the same address", async () => {
    await home.repo({ peers: { aaa: { url: "http://192.168.1.5:9900" } } });
    await home.global({ peers: { mine: { url: "http://192.168.1.5:9900/" } } });
    const target = resolvePeer("http://192.168.1.5:9900", false, (await home.load()).settings);
    assert.deepEqual([target.peer.name, target.peer.source], ["mine", "configured"]);
  });

  describe("are read from one place", () => {
    it("which is the session's folder, not one above it (X05)", async () => {
      const above = join(home.repository, "..");
      await home.repo({ timeouts: { send: 1 } }, above);
      await home.envLocal("A2A_SERVER_ENABLED=true", above);
      await home.envLocal("A2A_SERVER_ENABLED=true", home.repository);
      await home.envLocal("A2A_SERVER_ENABLED=true", join(home.repository, ".pi"));
      const { settings } = await home.load();
      assert.deepEqual([settings.server.enabled, settings.timeouts.send], [false, 360_000]);
      assert.deepEqual(
        home.reads.toSorted(),
        [
          join(home.agentDir, ".env.local"),
          join(home.agentDir, "settings.json"),
          join(home.repository, ".pi", "settings.json"),
        ].toSorted(),
      );
    });

    it("and not at all where the host does not trust the project", async () => {
      await home.repo({ timeouts: { send: 1 }, server: { enabled: true } });
      const loaded = await home.load({ trusted: false });
      assert.equal(loaded.settings.timeouts.send, 360_000);
      assert.deepEqual(textsOf(loaded), []);
      assert.ok(!home.reads.includes(join(home.repository, ".pi", "settings.json")));
    });

    it("which may be the operator's own file: then it stays the operator's", async () => {
      const path = await home.global({ server: { enabled: true } });
      await mkdir(join(home.repository, ".pi"));
      await symlink(path, join(home.repository, ".pi", "settings.json"));
      const loaded = await home.load();
      assert.equal(loaded.settings.server.enabled, true);
      assert.deepEqual(textsOf(loaded), []);
    });
  });

  it("leave the server alone when they are broken, and are named once", async () => {
    const path = await home.write(join(home.repository, ".pi", "settings.json"), "{");
    const loaded = await home.load();
    assert.deepEqual(loaded.settings.server.refusals, []);
    assert.deepEqual(textsOf(loaded), [
      `${path}: line 1, column 2: the text ends too early; nothing in the file is used until it is corrected`,
    ]);
  });
});

/** Two blocks, the second laid over the first. */
function merged(a: Record<string, unknown>, b: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const under = result[key];
    result[key] =
      typeof under === "object" && typeof value === "object"
        ? merged(under as Record<string, unknown>, value as Record<string, unknown>)
        : value;
  }
  return result;
}
