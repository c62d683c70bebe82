import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { parseEnvText, readEnvFile } from "../../../../src/core/config/env-file.ts";
import { createFilesPort } from "../../../../src/core/platform/files.ts";
import { createSettingsHome, type SettingsHome, textsOf } from "../../../support/settings-home.ts";

describe(".env.local", () => {
  for (const [line, value] of [
    ["A=b", "b"],
    ["  A = b  ", "b"],
    ["export A=b", "b"],
    ["export\tA=b", "b"],
    ["A=", ""],
    ["A=   ", ""],
    ["A=b c", "b c"],
    ["A=b#c", "b#c"],
    ["A=b # c", "b"],
    ["A=b\t#c", "b"],
    ["A=#c", ""],
    ["A=b=c", "b=c"],
    ["A=a:t1,b:t:2", "a:t1,b:t:2"],
    ["A='b # c'", "b # c"],
    ["A='b\\n'", "b\\n"],
    ['A="b \\"c\\" \\\\ \\n \\x $HOME"', 'b "c" \\ \n \\x $HOME'],
    ["A=`b'\"`", "b'\""],
    ["A='b' # c", "b"],
    ["A=$HOME/$(id)/`id`", "$HOME/$(id)/`id`"],
    ["A=b\\n", "b\\n"],
    ["A=ü", "ü"],
  ] as const) {
    it(`reads ${JSON.stringify(line)}`, () => {
      assert.deepEqual([...parseEnvText(line).variables], [["A", value]]);
    });
  }

  it("passes over blank lines and comments, and counts lines with any ending", () => {
    const { variables, strangeLines } = parseEnvText("\ufeff# A=1\r\n\r\nA=2\n \t \n#\rB=3\nC");
    assert.deepEqual(
      [...variables],
      [
        ["A", "2"],
        ["B", "3"],
      ],
    );
    assert.deepEqual(strangeLines, [7]);
  });

  it("takes the last of two values", () => {
    assert.equal(parseEnvText("A=1\nA=2").variables.get("A"), "2");
  });

  for (const line of ["A", "A B=c", "1A=b", "=b", "A-B=c", "A='b", 'A="b', 'A="b\\"', "A='b'c", "A: b", "{"]) {
    it(`counts ${JSON.stringify(line)} for nothing, and the lines around it for what they are`, () => {
      const { variables, strangeLines } = parseEnvText(`B=1\n${line}\nC=2`);
      assert.deepEqual([...variables.keys()], ["B", "C"]);
      assert.deepEqual(strangeLines, [2]);
    });
  }

  it("is read in a time that grows with its length only", () => {
    // A quadratic reader needs hours for these; each is a megabyte.
    for (const text of [
      "A=".padEnd(1e6, " #"),
      `A="${"\\".repeat(1e6)}`,
      "\n".repeat(1e6),
      " ".repeat(1e6),
      "export ".repeat(2e5),
    ]) {
      parseEnvText(text);
    }
  });

  it("comes to some variables from any text", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const [name] of parseEnvText(text).variables) assert.match(name, /^[A-Za-z_][A-Za-z0-9_]*$/);
      }),
    ));

  describe("in the agent folder", () => {
    let home: SettingsHome;
    beforeEach(async () => {
      home = await createSettingsHome();
    });
    afterEach(() => home.remove());

    it("wins over the settings file, and the environment over it", async () => {
      await home.global({ server: { port: 1, portFallback: 1, agentName: "file" } });
      await home.envLocal("A2A_PORT=2\nA2A_PORT_FALLBACK=2\n");
      const { settings, warnings } = await home.load({ env: { A2A_PORT: "3" } });
      const { port, portFallback, agentName } = settings.server;
      assert.deepEqual([port, portFallback, agentName, warnings], [3, 2, "file", []]);
    });

    it("leaves a setting alone that it sets to nothing", async () => {
      await home.global({ server: { enabled: true } });
      await home.envLocal("A2A_SERVER_ENABLED=\n");
      assert.equal((await home.load()).settings.server.enabled, true);
    });

    it("names wrong values by variable and file, and lines it cannot read by number, never what stands there", async () => {
      const path = await home.envLocal("A2A_PORT=x\nsecret stuff\nhunter2\nA2A_PUSH_SECRET='hunter2\n");
      assert.deepEqual(textsOf(await home.load()), [
        `${path}: line 2 and 2 more are not NAME=value and count for nothing`,
        `${path}: A2A_PORT is "x", not a whole number from 0 to 65535; 9910 is used`,
      ]);
    });

    it("gives every variable in it, for the credentials that peers name", async () => {
      const { variable } = await readEnvFile(createFilesPort(), await home.envLocal("MY_TOKEN=t\nEMPTY="));
      assert.deepEqual([variable("MY_TOKEN"), variable("EMPTY"), variable("OTHER")], ["t", "", undefined]);
    });

    it("that cannot be read is one warning and keeps the server from starting", async () => {
      const path = join(home.agentDir, ".env.local");
      await mkdir(path);
      const loaded = await home.load();
      const [text = "", ...more] = textsOf(loaded);
      assert.deepEqual(more, []);
      assert.match(text, /\.env\.local: cannot read .*; nothing in the file is used until it is corrected/);
      assert.deepEqual(loaded.settings.server.refusals, [text]);
    });

    it("that is huge is not read", async () => {
      await home.envLocal("#".repeat(300_000));
      assert.match(textsOf(await home.load()).join(), /larger than 262144 bytes/);
    });
  });
});
