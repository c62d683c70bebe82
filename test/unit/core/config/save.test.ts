import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadSettings } from "../../../../src/core/config/load.ts";
import { globalSettingsPath } from "../../../../src/core/config/paths.ts";
import { type SettingsEdit, saveSettings } from "../../../../src/core/config/save.ts";
import { SETTINGS } from "../../../../src/core/config/schema.ts";
import type { SettingKey } from "../../../../src/core/config/schema-rows.ts";
import { createSystemClock } from "../../../../src/core/platform/clock.ts";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { createFilesPort } from "../../../../src/core/platform/files.ts";
import { createSharedFiles } from "../../../../src/core/platform/shared-file.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

const setting = (key: SettingKey, value: unknown, name = ""): SettingsEdit => ({ setting: { key, name }, value });

describe("saving settings", () => {
  let dir: TempDir;
  let path: string;
  beforeEach(async () => {
    dir = await createTempDir();
    path = globalSettingsPath(dir.path);
  });
  afterEach(() => dir.remove());

  const save = (...edits: SettingsEdit[]): Promise<boolean> =>
    saveSettings({ shared: createSharedFiles(createSystemClock()), path, edits });
  const text = (): Promise<string> => readFile(path, "utf8");
  const refused = async (work: Promise<unknown>, said: RegExp): Promise<void> => {
    await assert.rejects(work, (error) => {
      assert.ok(isA2aError(error, "CONFIG_INVALID"));
      assert.match(error.message, said);
      return true;
    });
  };

  it("changes the keys it is told and leaves every other byte", async () => {
    const before =
      '{\r\n\t"theme":  "dark",\r\n\t"a2a": {\r\n\t\t"server": { "port": 1,"agentName":"pi" }\r\n\t},\r\n\t"x": [1,2]\r\n}';
    await writeFile(path, `\ufeff${before}`);
    assert.equal(await save(setting("server.port", 8000)), true);
    assert.equal(await text(), `\ufeff${before.replace('"port": 1', '"port": 8000')}`);
  });

  it("makes the file when there is none (G03)", async () => {
    await save(setting("server.port", 8000), setting("peers.*.url", "http://a.example", "a"));
    assert.equal(
      await text(),
      `${JSON.stringify({ a2a: { server: { port: 8000 }, peers: { a: { url: "http://a.example" } } } }, null, 2)}\n`,
    );
  });

  for (const [what, before] of [
    ["an empty file", ""],
    ["a blank file with a byte-order mark (G07)", "\ufeff\n"],
    ['"a2a": null (G07)', '{"a2a":null}'],
  ] as const) {
    it(`writes into ${what}`, async () => {
      await writeFile(path, before);
      await save(setting("server.port", 8000));
      assert.deepEqual(JSON.parse(await text()), { a2a: { server: { port: 8000 } } });
    });
  }

  it("says that nothing had to be changed", async () => {
    await save(setting("server.port", 8000));
    const before = await text();
    assert.equal(await save(setting("server.port", 8000), setting("server.agentName", undefined)), false);
    assert.equal(await text(), before);
  });

  it("takes a key out, so that the default counts again", async () => {
    await writeFile(path, '{"a2a":{"server":{"port":1,"enabled":true}}}');
    await save(setting("server.port", undefined));
    assert.equal(await text(), '{"a2a":{"server":{"enabled":true}}}');
  });

  it("removes a peer or a gateway with everything in it", async () => {
    await writeFile(
      path,
      '{"a2a":{"peers":{"a":{"url":"http://a","auth":{"token":"t"}},"b":{"url":"http://b"}},"discovery":{"gateways":{"w":{"url":"http://w"}}}}}',
    );
    await save({ remove: "peer", name: "a" }, { remove: "gateway", name: "w" });
    assert.equal(await text(), '{"a2a":{"peers":{"b":{"url":"http://b"}},"discovery":{"gateways":{}}}}');
  });

  it("keeps secrets in the file and those of the environment out of it (U14)", async () => {
    const before =
      '{"a2a":{"discovery":{"gateway":{"url":"http://g","token":"stored"}},"server":{"pushSecret":"kept"}}}';
    await writeFile(path, before);
    const env = { A2A_GATEWAY_TOKEN: "from-environment", A2A_PUSH_SECRET: "from-environment" };
    const loaded = await loadSettings({ files: createFilesPort(), agentDir: dir.path, env });
    assert.equal(loaded.settings.server.pushSecret, "from-environment");
    await save(setting("discovery.gateway.heartbeatSec", 90));
    assert.equal(await text(), before.replace('"stored"', '"stored","heartbeatSec":90'));
  });

  describe("never writes over a file that it cannot read", () => {
    for (const [what, before, said] of [
      ["with a trailing comma (G01)", '{\n  "theme": "dark",\n}', /line 3, column 1: a comma before a closing bracket/],
      ["with a Windows path (G01)", '{"shell":"C:\\Users\\x"}', /a backslash inside a string has to be doubled/],
      ["cut in half (G01)", '{"theme":"da', /a string that begins here does not end/],
      ["with comments (G02)", '{\n  // mine\n  "theme": "dark"\n}', /line 2, column 3: JSON has no comments/],
      ["that holds null (G07)", "null", /holds null, not an object/],
      ["that holds a list (G07)", "[]", /holds a list, not an object/],
      ["that holds a text", '"x"', /holds "x", not an object/],
    ] as const) {
      it(what, async () => {
        await writeFile(path, before);
        await refused(
          save(setting("server.port", 1)),
          new RegExp(`^the settings were not saved: ${path}.*${said.source}`),
        );
        assert.equal(await text(), before);
      });
    }

    it("because it is not UTF-8", async () => {
      const before = Buffer.from('{"theme":"d\xe4rk"}', "latin1");
      await writeFile(path, before);
      await refused(save(setting("server.port", 1)), /is not UTF-8 text/);
      assert.deepEqual(await readFile(path), before);
    });

    it("nor over a part of it that is not what it should be", async () => {
      for (const before of ['{"a2a":"x"}', '{"a2a":[]}', '{"a2a":{"server":"x"}}']) {
        await writeFile(path, before);
        await refused(save(setting("server.port", 1)), /is not an object, and is not overwritten/);
        assert.equal(await text(), before);
      }
    });

    it("which is read as it is: a folder in its place stays", async () => {
      await assert.rejects(
        saveSettings({
          shared: createSharedFiles(createSystemClock()),
          path: dir.path,
          edits: [setting("server.port", 1)],
        }),
        (error) => isA2aError(error, "FILE_FAILED") && error.message.startsWith("the settings were not saved"),
      );
    });
  });

  it("refuses values that the loader would not take, and says what it takes", async () => {
    await refused(
      save(setting("server.port", 70_000)),
      /server\.port would be 70000, not a whole number from 0 to 65535/,
    );
    await refused(
      save(setting("server.trustedPeers", ["a", 1])),
      /trustedPeers would be a list, not a list in which each is the name of a caller, ip:<address> or gateway:<key>/,
    );
    await refused(save(setting("peers.*.url", "http://a", "a b")), /"a b" is not a name/);
    await refused(save(setting("peers.*.url", "http://a", "__proto__")), /is not a name/);
    await refused(save({ remove: "peer", name: "" }), /is not a name/);
    await refused(save(setting("server.sharedToken", "hunter2 hunter2")), /would be a hidden value/);
    await assert.rejects(text());
  });

  it("writes every setting so that the loader takes it back", async () => {
    const inUse = SETTINGS.filter(({ wired, default: value }) => wired && value !== undefined);
    const edits = inUse.map(({ key, default: value }) => setting(key, value, key.includes("*") ? "x" : ""));
    await save(...edits, setting("peers.*.url", "http://x.example", "x"));
    const loaded = await loadSettings({ files: createFilesPort(), agentDir: dir.path, env: {} });
    assert.deepEqual(loaded.warnings, []);
    for (const { key, default: value } of inUse) {
      assert.deepEqual(loaded.find(key, key.includes("*") ? "x" : "")?.value, value, key);
    }
    assert.equal(loaded.find("server.port")?.source, join(dir.path, "settings.json"));
  });
});
