import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { settingsUntouched } from "../../../../src/core/config/untouched.ts";
import { createFilesPort } from "../../../../src/core/platform/files.ts";
import { createSettingsHome, plainSettings, type SettingsHome } from "../../../support/settings-home.ts";

type Prepare = (home: SettingsHome) => Promise<unknown>;

interface LookOptions {
  readonly variables?: boolean;
  readonly trusted?: boolean;
}

/** What the look says, and what the loader finds in the same place. */
async function look(prepare: Prepare, { variables = false, trusted = true }: LookOptions = {}) {
  const home = await createSettingsHome();
  try {
    const defaults = plainSettings(await home.load({ trusted }));
    await prepare(home);
    const files = createFilesPort();
    const { agentDir, repository: cwd } = home;
    const untouched = await settingsUntouched({ files, agentDir, cwd, projectTrusted: trusted, variables });
    const loaded = await home.load({ trusted });
    const { warnings } = loaded;
    return { untouched, warnings, isDefault: JSON.stringify(plainSettings(loaded)) === JSON.stringify(defaults) };
  } finally {
    await home.remove();
  }
}

const settingsText =
  (text: string): Prepare =>
  (home) =>
    home.write(join(home.agentDir, "settings.json"), text);

const NOTHING: Record<string, Prepare> = {
  "no file at all": async () => undefined,
  "settings of Pi alone": settingsText(
    '{"theme":"dark","packages":["../a2a"],"x":{"a2a":{"server":{"enabled":true}}}}',
  ),
  "a repository's settings without ours": (home) =>
    home.write(join(home.repository, ".pi", "settings.json"), '{"theme":"light"}'),
};

const SOMETHING: Record<string, Prepare> = {
  "our block": (home) => home.global({ server: { enabled: true } }),
  "our block under a name in escapes": settingsText('{"\\u0061\\u0032a":{"server":{"enabled":true}}}'),
  "our block with nothing in it": (home) => home.global(null),
  "a file that does not parse": settingsText('{"theme":"dark",}'),
  "a file with a byte-order mark": settingsText('\ufeff{"theme":"dark"}'),
  "a list": settingsText("[]"),
  "an empty file, which Pi may be about to fill": settingsText(""),
  "a text that nests too deep": settingsText(`{"x":${"[".repeat(5000)}${"]".repeat(5000)}}`),
  "a very large file": settingsText(JSON.stringify({ x: "x".repeat(300_000) })),
  "a folder in the place of the file": (home) => mkdir(join(home.agentDir, "settings.json")),
  "an .env.local": (home) => home.envLocal(""),
  "a link in the place of .env.local that leads round": (home) =>
    symlink(join(home.agentDir, ".env.local"), join(home.agentDir, ".env.local")),
  "a repository's block": (home) => home.repo({ timeouts: { send: 5 } }),
  "a repository's settings that do not parse": (home) => home.write(join(home.repository, ".pi", "settings.json"), "{"),
};

describe("the look whether anybody has set anything", () => {
  for (const [title, prepare] of Object.entries(NOTHING)) {
    it(`finds nothing in ${title}, and neither does the loader`, async () => {
      assert.deepEqual(await look(prepare), { untouched: true, warnings: [], isDefault: true });
    });
  }

  for (const [title, prepare] of Object.entries(SOMETHING)) {
    it(`leaves ${title} to the loader`, async () => {
      assert.equal((await look(prepare)).untouched, false);
    });
  }

  it("leaves variables to the loader", async () => {
    assert.equal((await look(async () => undefined, { variables: true })).untouched, false);
  });

  it("does not look into a repository that the host does not trust", async () => {
    const found = await look((home) => home.repo({ timeouts: { send: 5 } }), { trusted: false });
    assert.deepEqual(found, { untouched: true, warnings: [], isDefault: true });
  });
});
