// The parts of the fuzz run that judge: one that overlooks a fault would go on finding nothing.

import assert from "node:assert/strict";
import { shownBytes } from "../../../scripts/fuzz/case.ts";
import { ENV_FILE, SETTINGS_FILE } from "../../../scripts/fuzz/corpus.ts";
import { mutateBytes, mutateText } from "../../../scripts/fuzz/mutate.ts";
import { judgeReplies } from "../../../scripts/fuzz/replies.ts";
import { untoldIn } from "../../../scripts/fuzz/untold.ts";
import { loadSettings } from "../../../src/core/config/load.ts";
import type { LoadedSettings } from "../../../src/core/config/settings.ts";
import { createFilesPort } from "../../../src/core/platform/files.ts";
import { createRandom } from "../../hostile/support/random.ts";

const reply = (status: string, body: string, type = "application/json"): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

describe("fuzz mutations", () => {
  it("are the same for the same seed, and others for another", () => {
    const make = (seed: number) =>
      Array.from({ length: 20 }, (_, n) => mutateText(createRandom(`case ${n}`, seed), SETTINGS_FILE).toString());
    assert.deepEqual(make(1), make(1));
    assert.notDeepEqual(make(1), make(2));
  });

  it("change what they are given, and stay bounded", () => {
    const bytes = Buffer.from("x".repeat(200_000));
    for (let n = 0; n < 200; n++) assert.ok(mutateBytes(createRandom(`${n}`, 1), bytes).length <= 256 * 1024);
    const changed = Array.from({ length: 100 }, (_, n) =>
      mutateText(createRandom(`${n}`, 1), SETTINGS_FILE).toString(),
    );
    assert.ok(changed.filter((text) => text === JSON.stringify(SETTINGS_FILE)).length < 10);
  });

  it("are shown as text that tells every byte", () => {
    assert.equal(shownBytes(Buffer.from([0x00, 0x41, 0x0a, 0x5c, 0xff])), "\\x00A\n\\\\\\xff");
  });
});

describe("judgement over replies", () => {
  it("takes good replies, several on a connection, chunked ones and busy ones", () => {
    const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    const busy = reply("503 Busy", '{"error":{"code":-32053,"message":"busy"}}');
    const judged = judgeReplies(Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${reply("200 OK", "{}")}${chunked}${busy}`));
    assert.deepEqual(judged, { labels: ["200", "200", "503 -32053"], wrong: "", isWhole: true });
    assert.equal(judgeReplies(Buffer.from(reply("200 OK", "{}").slice(0, -1))).isWhole, false);
  });

  for (const [what, received, found] of [
    ["a fault of the server", reply("500 No", "{}"), /HTTP 500/],
    ["an inner error", reply("200 OK", '{"error":{"code":-32603,"message":"internal error 12"}}'), /internal error/],
    ["a reply that is no JSON", reply("200 OK", "{"), /no JSON/],
    ["bytes that are no HTTP", "hello\r\n\r\n", /no HTTP/],
  ] as const) {
    it(`finds ${what}`, () => assert.match(judgeReplies(Buffer.from(received)).wrong, found));
  }
});

describe("judgement over settings", () => {
  const paths = { global: "/agent/settings.json", repository: "/work/.pi/settings.json", envFile: "/agent/.env.local" };
  const load = (texts: { readonly [file in keyof typeof paths]?: string }): Promise<LoadedSettings> => {
    const files = new Map(Object.entries(texts).map(([file, text]) => [paths[file as keyof typeof paths], text]));
    return loadSettings({
      files: {
        ...createFilesPort(),
        readText: async (path) => files.get(path),
        realPath: async (path) => path,
      },
      agentDir: "/agent",
      env: {},
      session: { cwd: "/work", projectTrusted: true },
    });
  };
  const judge = async (texts: { global?: string; repository?: string; envFile?: string }, silent = false) => {
    const loaded = await load(texts);
    const none = { global: "", repository: "", envFile: "" };
    return untoldIn(silent ? { ...loaded, warnings: [] } : loaded, paths, { ...none, ...texts });
  };
  const bad = {
    global: '{"a2a":{"server":{"port":"x"},"nonsense":1,"timeouts":{"send":5000}}}',
    repository: '{"a2a":{"verifySsl":false}}',
    envFile: "A2A_PORT=abc\nnonsense\n",
  };

  it("has nothing to say of files that are taken, or told of", async () => {
    assert.deepEqual(await judge({ global: JSON.stringify(SETTINGS_FILE) }), []);
    assert.deepEqual(await judge({ envFile: ENV_FILE }), []);
    assert.deepEqual(await judge(bad), []);
  });

  it("finds each value that is neither taken nor told of", async () => {
    assert.deepEqual(await judge(bad, true), [
      "a2a.server.port is neither taken nor told of",
      "a2a.nonsense is neither taken nor told of",
      "/work/.pi/settings.json: 1 values are not taken, and nothing says so",
      "1 lines of /agent/.env.local are no assignments, and nothing says so",
      "A2A_PORT=abc is neither taken nor told of",
    ]);
    assert.deepEqual(await judge({ global: "{" }, true), ["/agent/settings.json is no JSON, and nothing says so"]);
  });
});
