import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import type { Environment } from "../../../../src/core/config/env.ts";
import { loadSettings } from "../../../../src/core/config/load.ts";
import { SETTINGS } from "../../../../src/core/config/schema.ts";
import type { LoadedSettings, PeerSettings, Settings } from "../../../../src/core/config/settings.ts";
import { A2aError } from "../../../../src/core/platform/errors.ts";
import { createFilesPort, type FilesPort } from "../../../../src/core/platform/files.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

const AGENT_DIR = join("/", "agent");
const FILE = join(AGENT_DIR, "settings.json");
const DEFAULTS = {
  selfIdentity: "",
  server: {
    enabled: false,
    port: 9910,
    portFallback: 10,
    host: "127.0.0.1",
    workspace: "",
    agentName: "",
    publicUrl: "",
    sharedToken: "",
    peerTokens: {},
    trustedPeers: [],
    allowAllUsers: false,
    trustedProxies: [],
    skills: [],
    legacy: true,
    maxConcurrent: 3,
    replyTimeoutSec: 300,
    asyncTimeoutSec: 86_400,
    maxPingpongTurns: 5,
    maxHops: 4,
    rateLimitPerMin: 60,
    childTranscripts: true,
    childTranscriptRetentionDays: 30,
    taskRetentionDays: 7,
    maxTasks: 10_000,
    durability: "os",
    streamPollSec: 1,
    pushTimeoutSec: 15,
    pushAllowInsecure: false,
    pushSecret: "",
    refusals: [],
  },
  peers: {},
  timeouts: { send: 360_000, async: 30_000, stream: 120_000 },
  retryAttempts: 2,
  verifySsl: true,
  discovery: {
    local: { enabled: true, heartbeatSec: 15, ttlSec: 60 },
    mdns: { enabled: false, serviceType: "a2a" },
    enrichCard: true,
    gateways: {},
  },
  ui: { transcript: true, transcriptInContext: false, wake: "notify" },
};

/** A settings file that holds `text` (undefined: there is none) and no other file, and the paths that were asked for. */
function fileOf(text: string | undefined): { readonly files: FilesPort; readonly reads: string[] } {
  const reads: string[] = [];
  const files: FilesPort = {
    ...createFilesPort(),
    async readText(path) {
      reads.push(path);
      return path === FILE ? text : undefined;
    },
  };
  return { files, reads };
}

function load(text: string | undefined, env: Environment = {}): Promise<LoadedSettings> {
  return loadSettings({ files: fileOf(text).files, agentDir: AGENT_DIR, env });
}

function loadA2a(a2a: unknown, env: Environment = {}): Promise<LoadedSettings> {
  return load(JSON.stringify({ theme: "dark", a2a }), env);
}

/** Settings as plain objects: what has names of people and peers as keys has no prototype. */
function plain({ settings }: LoadedSettings): Settings {
  return JSON.parse(JSON.stringify(settings));
}

function peerOf(fields: Partial<PeerSettings>): object {
  return { origin: "operator", capabilities: [], headers: {}, ...fields };
}

function texts({ warnings }: LoadedSettings): readonly string[] {
  return warnings.map((warning) => warning.text);
}

describe("loading settings", () => {
  let dir: TempDir;
  beforeEach(async () => {
    dir = await createTempDir();
  });
  afterEach(() => dir.remove());

  describe("without anything to say", () => {
    for (const [what, text] of [
      ["no file", undefined],
      ["an empty file", ""],
      ["a blank file", " \n"],
      ["a file of Pi's own settings", '{"theme":"dark"}'],
      ["an empty a2a block", '{"a2a":{}}'],
    ] as const) {
      it(`gives the documented defaults with ${what}`, async () => {
        const loaded = await load(text);
        assert.deepEqual(plain(loaded), DEFAULTS);
        assert.deepEqual(loaded.warnings, []);
      });
    }

    it("tells of a byte-order mark, and reads over it (G07)", async () => {
      const loaded = await load('\ufeff{"a2a":{"server":{"port":8000}}}');
      assert.equal(loaded.settings.server.port, 8000);
      assert.equal(loaded.warnings.length, 1);
      assert.match(loaded.warnings[0]?.text ?? "", /settings\.json.*begins with a byte-order mark/);
    });

    it("looks into the agent folder and nowhere else", async () => {
      const { files, reads } = fileOf(undefined);
      await loadSettings({ files, agentDir: AGENT_DIR, env: {} });
      assert.deepEqual(reads, [FILE, join(AGENT_DIR, ".env.local")]);
    });
  });

  describe("layers", () => {
    it("lays file over defaults and environment over the file, key by key", async () => {
      const loaded = await loadA2a(
        { server: { port: 8000, enabled: true }, timeouts: { send: 5000 }, ui: { transcript: false } },
        { A2A_PORT: " 8001 ", A2A_AGENT_NAME: "worker", A2A_REPLY_TIMEOUT: "0" },
      );
      assert.deepEqual(plain(loaded), {
        ...DEFAULTS,
        server: { ...DEFAULTS.server, port: 8001, enabled: true, agentName: "worker", replyTimeoutSec: 0 },
        timeouts: { ...DEFAULTS.timeouts, send: 5000 },
        ui: { ...DEFAULTS.ui, transcript: false },
      });
      assert.deepEqual(loaded.warnings, []);
    });

    it("lets a blank variable leave the file's value alone (G08)", async () => {
      const loaded = await loadA2a({ server: { enabled: true } }, { A2A_SERVER_ENABLED: " " });
      assert.equal(loaded.settings.server.enabled, true);
      assert.deepEqual(loaded.warnings, []);
    });

    it("lets a variable switch off what the file switches on (G08)", async () => {
      const loaded = await loadA2a({ server: { enabled: true } }, { A2A_SERVER_ENABLED: "FALSE" });
      assert.equal(loaded.settings.server.enabled, false);
    });

    it("takes every setting of this version from the file (G11)", async () => {
      const server = {
        enabled: true,
        port: 0,
        portFallback: 0,
        workspace: process.cwd(),
        agentName: "pi",
        skills: [{ id: "lint", name: "Lint", description: "Lints.", tags: ["js"] }],
        maxConcurrent: 9,
        replyTimeoutSec: 0,
        asyncTimeoutSec: 2_592_000,
        childTranscripts: false,
        childTranscriptRetentionDays: 0,
        maxTasks: 5,
        pushTimeoutSec: 0.5,
        pushAllowInsecure: true,
        pushSecret: "key",
      };
      const peer = { url: "http://172.30.55.31:9900", timeout: 120 };
      const timeouts = { send: 3_000_000_000, async: 1000, stream: 1 };
      const root = { retryAttempts: 0, verifySsl: false, discovery: { enrichCard: false } };
      const ui = { transcript: false, transcriptInContext: true };
      const loaded = await loadA2a({ server, peers: { "hermes.desktop": peer }, timeouts, ...root, ui });
      assert.deepEqual(plain(loaded), {
        ...DEFAULTS,
        server: { ...DEFAULTS.server, ...server },
        peers: { "hermes.desktop": peerOf(peer) },
        timeouts,
        ...root,
        discovery: { ...DEFAULTS.discovery, enrichCard: false },
        ui: { ...DEFAULTS.ui, ...ui },
      });
      assert.deepEqual(loaded.warnings, []);
    });

    it("takes every setting of this version that has a variable from the environment (G11)", async () => {
      const loaded = await load(undefined, {
        A2A_SERVER_ENABLED: "on",
        A2A_PORT: "1",
        A2A_PORT_FALLBACK: "2",
        A2A_AGENT_NAME: "n",
        A2A_REPLY_TIMEOUT: "3",
        A2A_ASYNC_TIMEOUT: "4",
        A2A_CHILD_TRANSCRIPTS: "off",
        A2A_CHILD_TRANSCRIPT_RETENTION_DAYS: "5",
        A2A_PUSH_TIMEOUT: "6",
        A2A_PUSH_ALLOW_INSECURE: "1",
        A2A_PUSH_SECRET: "s",
        A2A_ENRICH_CARD: "no",
        A2A_UI_TRANSCRIPT: "0",
      });
      assert.deepEqual(plain(loaded), {
        ...DEFAULTS,
        server: {
          ...DEFAULTS.server,
          enabled: true,
          port: 1,
          portFallback: 2,
          agentName: "n",
          replyTimeoutSec: 3,
          asyncTimeoutSec: 4,
          childTranscripts: false,
          childTranscriptRetentionDays: 5,
          pushTimeoutSec: 6,
          pushAllowInsecure: true,
          pushSecret: "s",
        },
        discovery: { ...DEFAULTS.discovery, enrichCard: false },
        ui: { ...DEFAULTS.ui, transcript: false },
      });
    });

    it("gives values that nobody can change", async () => {
      const { settings, warnings } = await loadA2a({
        peers: { a: { url: "http://a" } },
        server: { skills: [{ id: "x" }], port: "x" },
      });
      const check = (value: unknown): void => {
        assert.ok(Object.isFrozen(value), JSON.stringify(value));
        if (typeof value === "object" && value !== null) Object.values(value).forEach(check);
      };
      check(settings);
      check(warnings);
    });
  });

  describe("wrong values", () => {
    for (const [what, a2a, env, wanted] of [
      [
        "a word for a port",
        { server: { port: "abc" } },
        {},
        `${FILE}: a2a.server.port is "abc", not a whole number from 0 to 65535; 9910 is used`,
      ],
      [
        "a negative port",
        { server: { port: -1 } },
        {},
        `${FILE}: a2a.server.port is -1, not a whole number from 0 to 65535; 9910 is used`,
      ],
      [
        "null",
        { server: { enabled: null } },
        {},
        `${FILE}: a2a.server.enabled is null, not true or false; false is used`,
      ],
      [
        "a list for a name",
        { server: { agentName: ["pi"] } },
        {},
        `${FILE}: a2a.server.agentName is a list, not one line of at most 8000 letters; the default is used`,
      ],
      [
        "a group that is none",
        { server: true },
        {},
        `${FILE}: a2a.server is true, not an object; nothing in it is used`,
      ],
      [
        "a wrong variable (G08)",
        {},
        { A2A_PORT: "70000" },
        'environment: A2A_PORT is "70000", not a whole number from 0 to 65535; 9910 is used',
      ],
      [
        "a wrong variable over a good file",
        { server: { port: 8000 } },
        { A2A_PORT: "abc" },
        `environment: A2A_PORT is "abc", not a whole number from 0 to 65535; 8000 of ${FILE} is used`,
      ],
      [
        "a wrong file below a good variable",
        { server: { port: "abc" } },
        { A2A_PORT: "8000" },
        `${FILE}: a2a.server.port is "abc", not a whole number from 0 to 65535; 8000 of environment is used`,
      ],
      ["a key nobody knows", { server: { prot: 1 } }, {}, `${FILE}: a2a.server.prot is not a setting and is ignored`],
      ["a group nobody knows", { sever: { port: 1 } }, {}, `${FILE}: a2a.sever is not a setting and is ignored`],
      [
        "__proto__",
        JSON.parse('{"__proto__":{"port":1}}'),
        {},
        `${FILE}: a2a.__proto__ is not a setting and is ignored`,
      ],
    ] as const) {
      it(`names ${what} once, with its place and what is used instead`, async () => {
        assert.deepEqual(texts(await loadA2a(a2a, env)), [wanted]);
      });
    }

    it("keeps the other values of the same group", async () => {
      const { settings } = await loadA2a({ server: { port: "abc", portFallback: 3, enabled: true } });
      assert.deepEqual([settings.server.port, settings.server.portFallback, settings.server.enabled], [9910, 3, true]);
    });

    it("names source and key of each, for those who mark them", async () => {
      const { warnings } = await loadA2a(
        { server: { port: [] }, peers: { "a.b": { url: 1 } } },
        { A2A_UI_TRANSCRIPT: "x" },
      );
      assert.deepEqual(
        warnings.map(({ source, key }) => [source, key]),
        [
          [FILE, "server.port"],
          [FILE, "peers.a.b.url"],
          ["environment", "ui.transcript"],
        ],
      );
    });

    it("shows a long or hostile value as one short line", async () => {
      const [text = ""] = texts(await loadA2a({ server: { port: `\u001b[2J\u202e\u2028\n${"x".repeat(9999)}` } }));
      assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      assert.ok(text.length < 250);
    });

    it("says what is wrong with a file of nonsense without filling the screen", async () => {
      const nonsense = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index]));
      const { warnings } = await loadA2a(nonsense);
      assert.equal(warnings.length, 51);
      assert.match(warnings[50]?.text ?? "", /9950 further values/);
    });

    it("lets notes stand in members that begin like comments", async () => {
      const loaded = await loadA2a({ "//": "why", server: { "// port": "taken by x", port: 1 } });
      assert.deepEqual(loaded.warnings, []);
    });
  });

  describe("peers", () => {
    it("leaves out those it cannot use and keeps the others", async () => {
      const loaded = await loadA2a({
        peers: {
          good: { url: " http://127.0.0.1:9911 ", timeout: "2.5" },
          "bad name": { url: "http://a" },
          [`${"x".repeat(65)}`]: { url: "http://a" },
          "": { url: "http://a" },
          "*": { url: "http://a" },
          ftp: { url: "ftp://a" },
          none: {},
          text: "http://a",
          slow: { url: "http://a", timeout: 0 },
        },
      });
      assert.deepEqual(plain(loaded).peers, {
        good: peerOf({ url: "http://127.0.0.1:9911", timeout: 2.5 }),
        slow: peerOf({ url: "http://a" }),
      });
      const name = "is left out: a name has at most 64 letters, digits, dots, dashes and underscores";
      assert.deepEqual(texts(loaded), [
        `${FILE}: a2a.peers."bad name" ${name}`,
        `${FILE}: a2a.peers."${"x".repeat(60)}…" ${name}`,
        `${FILE}: a2a.peers."" ${name}`,
        `${FILE}: a2a.peers.* ${name}`,
        `${FILE}: a2a.peers.ftp.url is "ftp://a", not an absolute http or https URL without a login in it; the peer is left out`,
        `${FILE}: a2a.peers.text is "http://a", not an object; nothing in it is used`,
        `${FILE}: a2a.peers.slow.timeout is 0, not a number from 0.1 to 315360000; its calls use timeouts.send`,
        `${FILE}: a2a.peers.none has no url; the peer is left out`,
      ]);
    });

    it("are found by their own names only", async () => {
      const { settings } = await load('{"a2a":{"peers":{"__proto__":{"url":"http://evil"},"a":{"url":"http://a"}}}}');
      for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
        assert.equal(settings.peers[name], undefined);
      }
      assert.deepEqual(Object.keys(settings.peers), ["a"]);
    });

    it("may be called like members of every object", async () => {
      const { settings } = await loadA2a({ peers: { constructor: { url: "http://a" } } });
      assert.equal(Object.entries(settings.peers)[0]?.[1].url, "http://a");
    });

    it("do not show a login that stands in a URL", async () => {
      const [text = ""] = texts(await loadA2a({ peers: { a: { url: "http://me:hunter2@host" } } }));
      assert.match(text, /a2a\.peers\.a\.url is a hidden value, not .* without a login/);
      assert.doesNotMatch(text, /hunter2/);
    });
  });

  describe("settings of parts that are not built", () => {
    it("are refused by one warning each, whole groups as one", async () => {
      const loaded = await loadA2a(
        {
          peers: {
            a: { url: "http://a", capabilities: ["x"] },
            b: { url: "http://b", capabilities: [] },
          },
          discovery: { local: { enabled: false }, gateways: { work: { url: "http://g" } } },
        },
        { A2A_GATEWAY_TOKEN: "hunter2", A2A_MDNS_TYPE: "7" },
      );
      const rest = "is not in this version yet and is ignored";
      assert.deepEqual(texts(loaded), [
        `${FILE}: a2a.peers.<name>.capabilities ${rest}`,
        `${FILE}: a2a.discovery.local ${rest}`,
        `${FILE}: a2a.discovery.gateways ${rest}`,
        `environment: A2A_MDNS_TYPE ${rest}`,
        `environment: A2A_GATEWAY_TOKEN ${rest}`,
      ]);
      assert.deepEqual(Object.keys(loaded.settings.peers), ["a", "b"]);
    });

    it("need no word when they say what happens anyway", async () => {
      const loaded = await loadA2a(
        { server: { host: "127.0.0.1", publicUrl: "" } },
        { A2A_HOST: "127.0.0.1", A2A_LEGACY: "yes" },
      );
      assert.deepEqual(loaded.warnings, []);
    });

    it("never let a value be seen", async () => {
      for (const setting of SETTINGS.filter(({ secret, env }) => secret && env !== undefined)) {
        const loaded = await load(undefined, { [setting.env ?? ""]: "hunter2\u0000" });
        assert.equal(loaded.warnings.length, 1, setting.key);
        assert.doesNotMatch(texts(loaded).join(), /hunter2/);
      }
    });
  });

  describe("files that cannot be used", () => {
    for (const [what, text, wanted] of [
      [
        "a trailing comma (G01)",
        '{\n  "a2a": { "server": { "port": 1, } }\n}',
        "line 2, column 35: a comma before a closing bracket",
      ],
      [
        "a Windows path (G01)",
        '{"a2a":{"server":{"workspace":"C:\\Users\\x"}}}',
        "line 1, column 34: a backslash inside a string has to be doubled",
      ],
      ["a comma behind a byte-order mark (G07)", "\ufeff[,]", "line 1, column 2: expected a value"],
      ["half a file (G01)", '{\r\n  "a2a": {', "line 2, column 11: the text ends too early"],
      [
        "comments (G02)",
        '{\n  "a2a": {\n    "server": {\n      "enabled": false,       // set true\n      "port": 9910\n    }\n  }\n}',
        "line 4, column 31: JSON has no comments; remove it",
      ],
    ] as const) {
      it(`gives the defaults for ${what} and names line and column`, async () => {
        const loaded = await load(text);
        const said = [`${FILE}: ${wanted}; nothing in the file is used until it is corrected`];
        // Nobody knows what tokens stand in the file, so no server starts meanwhile.
        assert.deepEqual(plain(loaded), { ...DEFAULTS, server: { ...DEFAULTS.server, refusals: said } });
        assert.deepEqual(texts(loaded), said);
      });
    }

    for (const [what, text, wanted] of [
      ["null (G07)", "null", "holds null, not an object; nothing in it is used"],
      ["a list (G07)", "[]", "holds a list, not an object; nothing in it is used"],
      ["a string", '"x"', 'holds "x", not an object; nothing in it is used'],
      ['"a2a": null (G07)', '{"a2a":null}', "a2a is null, not an object; nothing in it is used"],
      ['"a2a": []', '{"a2a":[]}', "a2a is a list, not an object; nothing in it is used"],
    ] as const) {
      it(`takes a file that holds ${what} for an empty one and says so`, async () => {
        const loaded = await load(text);
        assert.deepEqual(plain(loaded), DEFAULTS);
        assert.deepEqual(texts(loaded), [`${FILE}: ${wanted}`]);
      });
    }

    it("refuses a file that nests a hundred thousand levels deep", async () => {
      const deep = `{"a2a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
      const loaded = await load(deep);
      assert.deepEqual(plain(loaded).peers, {});
      assert.deepEqual(loaded.settings.server.refusals, texts(loaded));
      assert.equal(loaded.warnings.length, 1);
    });

    it("says why a file cannot be read", async () => {
      const files = {
        ...createFilesPort(),
        readText: (path: string) =>
          path === FILE ? Promise.reject(new A2aError("FILE_FAILED", "cannot read it")) : Promise.resolve(undefined),
      };
      const loaded = await loadSettings({ files, agentDir: AGENT_DIR, env: { A2A_PORT: "1" } });
      assert.deepEqual(texts(loaded), [`${FILE}: cannot read it; nothing in the file is used until it is corrected`]);
      assert.equal(loaded.settings.server.port, 1);
    });

    it("reads CRLF line ends (G07)", async () => {
      const loaded = await load('{\r\n  "a2a": { "server": { "port": 1 } }\r\n}\r\n');
      assert.equal(loaded.settings.server.port, 1);
      assert.deepEqual(loaded.warnings, []);
    });

    for (const [what, half] of [
      ["emptied", ""],
      ["half written", '{"a2a":{"serv'],
    ] as const) {
      it(`waits for a file that another process has just ${what}`, async () => {
        const path = join(dir.path, "settings.json");
        await writeFile(path, half);
        const files = createFilesPort({ wait: () => writeFile(path, '{"a2a":{"server":{"port":1}}}') });
        const loaded = await loadSettings({ files, agentDir: dir.path, env: {} });
        assert.equal(loaded.settings.server.port, 1);
        assert.deepEqual(loaded.warnings, []);
      });
    }
  });

  describe("in the file system", () => {
    it("finds the file in the agent folder", async () => {
      await writeFile(join(dir.path, "settings.json"), '{"a2a":{"server":{"port":1}}}');
      const loaded = await loadSettings({ files: createFilesPort(), agentDir: dir.path, env: {} });
      assert.equal(loaded.settings.server.port, 1);
    });

    it("takes a folder that is not there for one without settings", async () => {
      const loaded = await loadSettings({ files: createFilesPort(), agentDir: join(dir.path, "none"), env: {} });
      assert.deepEqual([plain(loaded), loaded.warnings], [DEFAULTS, []]);
    });
  });

  it("comes to valid settings from any JSON, any text and any environment", () => {
    const keys = fc.constantFrom(
      "server",
      "peers",
      "timeouts",
      "ui",
      "discovery",
      "enrichCard",
      "port",
      "send",
      "a",
      "url",
      "timeout",
      "__proto__",
      "*",
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom(0, -1, 1e308, "300", "http://a", "false", null),
        fc.dictionary(keys, tie("value"), { maxKeys: 6 }),
      ),
    }));
    const env = fc.dictionary(fc.constantFrom(...SETTINGS.flatMap((setting) => setting.env ?? [])), fc.string());
    return fc.assert(
      fc.asyncProperty(value, env, fc.string(), async (a2a, variables, noise) => {
        for (const loaded of [await loadA2a(a2a, variables), await load(noise)]) {
          const { settings, warnings } = loaded;
          assert.ok(
            Number.isInteger(settings.server.port) && settings.server.port >= 0 && settings.server.port <= 65_535,
          );
          assert.ok(settings.timeouts.send >= 1 && settings.server.asyncTimeoutSec >= 0);
          for (const peer of Object.values(settings.peers)) assert.match(peer.url, /^https?:\/\//i);
          for (const { text } of warnings) assert.doesNotMatch(text, /[\p{Cc}\p{Zl}\p{Zp}]/u);
        }
      }),
    );
  });
});
