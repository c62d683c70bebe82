import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createSettingsHome, type SettingsHome, textsOf } from "../../../support/settings-home.ts";

describe("settings for one folder", () => {
  let home: SettingsHome;
  beforeEach(async () => {
    home = await createSettingsHome();
  });
  afterEach(() => home.remove());

  const portIn = async (cwd: string): Promise<number> => (await home.load({ cwd })).settings.server.port;

  it("are laid over the others for sessions in that folder and below it, key by key", async () => {
    const inner = join(home.repository, "packages", "a");
    await mkdir(inner, { recursive: true });
    await home.global({
      server: { port: 1, agentName: "pi", enabled: false },
      projects: { [home.repository]: { server: { port: 2, enabled: true } } },
    });
    for (const cwd of [home.repository, inner]) {
      const { settings, warnings } = await home.load({ cwd });
      assert.deepEqual([settings.server.port, settings.server.enabled, settings.server.agentName], [2, true, "pi"]);
      assert.deepEqual(warnings, []);
    }
  });

  it("do not reach folders above or beside it, also when the names begin alike", async () => {
    const beside = `${home.repository}-2`;
    await mkdir(beside);
    await home.global({ server: { port: 1 }, projects: { [home.repository]: { server: { port: 2 } } } });
    assert.equal(await portIn(beside), 1);
    assert.equal(await portIn(join(home.repository, "..")), 1);
  });

  it("of an inner folder win over those of an outer one, in whatever order they stand", async () => {
    const outer = join(home.repository, "..");
    const inner = { [home.repository]: { server: { port: 3 } } };
    await home.global({ projects: { ...inner, [outer]: { server: { port: 2, portFallback: 7 } } } });
    const { server } = (await home.load()).settings;
    assert.deepEqual([server.port, server.portFallback], [3, 7]);
  });

  it("hold for a folder however its path is written, and however the session came there", async () => {
    const link = join(home.agentDir, "link");
    await symlink(home.repository, link);
    for (const [key, cwd] of [
      [`${home.repository}/`, home.repository],
      [`${home.repository}/../repo`, home.repository],
      [link, home.repository],
      [home.repository, link],
    ] as const) {
      await home.global({ projects: { [key]: { server: { port: 2 } } } });
      assert.equal(await portIn(cwd), 2, key);
    }
  });

  it("are weaker than .env.local, the environment and the edits of the session", async () => {
    await home.global({ projects: { [home.repository]: { server: { port: 2, portFallback: 2 } } } });
    await home.envLocal("A2A_PORT=3");
    const { server } = (await home.load({ env: { A2A_PORT_FALLBACK: "4" } })).settings;
    assert.deepEqual([server.port, server.portFallback], [3, 4]);
  });

  it("may complete a peer of the others", async () => {
    await home.global({
      peers: { a: { url: "http://a.example" } },
      projects: { [home.repository]: { peers: { a: { timeout: 5 }, b: { url: "http://b.example" } } } },
    });
    const { peers } = (await home.load()).settings;
    assert.deepEqual([peers.a?.url, peers.a?.timeout, peers.b?.origin], ["http://a.example", 5, "operator"]);
    assert.deepEqual(Object.keys((await home.load({ cwd: home.agentDir })).settings.peers), ["a"]);
  });

  it("name wrong values by their place, but only those that hold for the session", async () => {
    const path = await home.global({
      projects: {
        [home.repository]: { server: { port: "x" }, projects: {}, nothing: 1 },
        [home.agentDir]: { server: { port: "y" } },
        "work/repo": {},
        "// a note": {},
      },
    });
    const place = `${path}: a2a.projects.${JSON.stringify(home.repository)}`;
    const said = textsOf(await home.load()).map((text) =>
      text.replace(`a2a.projects.${home.repository}`, `a2a.projects.${JSON.stringify(home.repository)}`),
    );
    assert.deepEqual(said, [
      `${path}: a2a.projects.work/repo is not an absolute folder and is ignored`,
      `${place}.server.port is "x", not a whole number from 0 to 65535; 9910 is used`,
      `${place}.projects is not a setting and is ignored`,
      `${place}.nothing is not a setting and is ignored`,
    ]);
  });

  it("are one warning when they are no object", async () => {
    const path = await home.global({ projects: ["x"], server: { port: 5 } });
    const loaded = await home.load();
    assert.equal(loaded.settings.server.port, 5);
    assert.deepEqual(textsOf(loaded), [
      `${path}: a2a.projects is a list, not an object; every folder has the same settings`,
    ]);
  });
});
