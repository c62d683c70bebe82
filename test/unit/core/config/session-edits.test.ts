import assert from "node:assert/strict";
import { createSessionEdits } from "../../../../src/core/config/session-edits.ts";
import { createSettingsHome, type SettingsHome } from "../../../support/settings-home.ts";

const PORT = { key: "server.port", name: "" } as const;

describe("edits of this session", () => {
  let home: SettingsHome;
  beforeEach(async () => {
    home = await createSettingsHome();
  });
  afterEach(() => home.remove());

  it("win over everything, and only while they are there", async () => {
    await home.global({ server: { port: 1 } });
    const edits = createSessionEdits();
    assert.equal(edits.set(PORT, "8000").kind, "value");
    const load = () => home.load({ env: { A2A_PORT: "3" }, edits: edits.layer() });
    assert.equal((await load()).settings.server.port, 8000);
    assert.deepEqual((await load()).find("server.port"), {
      key: "server.port",
      name: "",
      value: 8000,
      source: "this session",
      kind: "session",
    });
    edits.unset(PORT);
    assert.equal((await load()).settings.server.port, 3);
  });

  it("take only what fits the setting, and say what does", async () => {
    const edits = createSessionEdits();
    edits.set(PORT, 1);
    assert.deepEqual(edits.set(PORT, 70_000), { kind: "wrong", wanted: "a whole number from 0 to 65535" });
    assert.equal((await home.load({ edits: edits.layer() })).settings.server.port, 1);
  });

  it("may add a peer, which is the operator's", async () => {
    const edits = createSessionEdits();
    edits.set({ key: "peers.*.url", name: "new" }, "http://new.example");
    await home.repo({ peers: { new: { url: "http://evil.example" } } });
    const { peers } = (await home.load({ edits: edits.layer() })).settings;
    assert.deepEqual([peers.new?.url, peers.new?.origin], ["http://new.example", "operator"]);
  });
});
