// What a peer sees of logins over real sockets, with and without TLS, and what people are told when it refuses them.

import assert from "node:assert/strict";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { PeerSettings, Settings } from "../../src/core/config/settings.ts";
import { createSystemClock } from "../../src/core/platform/clock.ts";
import { createCommandPort } from "../../src/core/platform/command.ts";
import type { A2aError } from "../../src/core/platform/errors.ts";
import { encodeCard } from "../../src/core/protocol/encode.ts";
import type { AgentCard } from "../../src/core/protocol/types.ts";
import { createRedaction } from "../../src/core/security/redact/redaction.ts";
import { createCommandTokens } from "../../src/outbound/command-tokens.ts";
import { agentCard, agentInterface, completedTask } from "../support/builders.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { type PeerRequest, sendResult } from "../support/http-peer.ts";
import {
  createTestClient,
  failure,
  type Rig,
  type RigOptions,
  startRig,
  testSettings,
} from "../support/outbound-rig.ts";
import { createTempDir } from "../support/temp-dir.ts";
import { TEST_TLS_CERTIFICATE, TEST_TLS_KEY } from "../support/tls-fixture.ts";

const SECRET = "tok-0123456789abcdef";
const BEARER = { type: "bearer", header: "X-API-Key", token: SECRET } as const;

const answers: NonNullable<RigOptions["methods"]> = {
  SendMessage: (request, response) => sendResult(request, response, { task: completedTask("done") }),
};

/** Answers every POST with this status. */
function refusing(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = "no",
): NonNullable<RigOptions["methods"]> {
  return { SendMessage: (_request, response) => void response.writeHead(status, headers).end(body) };
}

type Peer = Partial<Omit<PeerSettings, "url">>;

/** Settings with the rig's peer as `box`, and tokens of this session. */
function withPeer(rig: Rig, peer: Peer, session: { readonly sharedToken?: string } = {}): Settings {
  const base = testSettings({ peers: { box: { url: rig.peer.origin, ...peer } } });
  return { ...base, server: { ...base.server, sharedToken: session.sharedToken ?? "" } };
}

describe("a peer's login", () => {
  let rig: Rig;
  afterEach(() => rig.end());

  for (const [what, peer, expected] of [
    ["bearer", { auth: BEARER }, { authorization: `Bearer ${SECRET}` }],
    [
      "basic",
      { auth: { ...BEARER, type: "basic", token: "me:hunter2" } },
      { authorization: `Basic ${Buffer.from("me:hunter2").toString("base64")}` },
    ],
    ["apiKey", { auth: { ...BEARER, type: "apiKey" } }, { "x-api-key": SECRET }],
    [
      "apiKey in a header of its own",
      { auth: { ...BEARER, type: "apiKey", header: "X-Goog-Key" } },
      { "x-goog-key": SECRET },
    ],
    [
      "headers",
      { headers: { "X-Amzn-Session-Id": "s".repeat(33), "User-Agent": "me" } },
      { "x-amzn-session-id": "s".repeat(33), "user-agent": "me" },
    ],
  ] as const) {
    it(`goes with the card and with the message: ${what} (C38, G11)`, async () => {
      rig = await startRig({ methods: answers });
      rig.settings = withPeer(rig, peer);
      await rig.call({ agent: "box" });
      assert.ok(rig.peer.requests.length >= 2);
      for (const { headers } of rig.peer.requests)
        for (const [name, value] of Object.entries(expected)) assert.equal(headers[name], value);
    });
  }

  it("goes nowhere else: not to the peer's URL under another path", async () => {
    rig = await startRig({ methods: answers });
    rig.settings = withPeer(rig, { auth: BEARER }, { sharedToken: "shared-token" });
    await rig.call({ agent: `${rig.peer.origin}/other` });
    for (const { headers } of rig.peer.requests) assert.equal(headers.authorization, undefined);
  });

  it("never follows a redirect (C10)", async () => {
    rig = await startRig({ methods: refusing(307, { Location: "http://127.0.0.1:1/" }) });
    rig.settings = withPeer(rig, { auth: BEARER });
    const error = await failure(rig.call({ agent: "box" }), "PEER_BAD_REPLY");
    assert.match(error.hint, /Redirects are not followed/);
    assert.equal(rig.peer.calls("SendMessage").length, 1);
  });

  it("does not follow the card to another origin, and then there is no call (C09)", async () => {
    const other = await startRig({ methods: answers });
    try {
      rig = await startRig({ methods: answers, card: () => cardAt(`${other.peer.origin}/`) });
      rig.settings = withPeer(rig, { auth: BEARER });
      const error = await failure(rig.call({ agent: "box" }), "ADDRESS_REFUSED");
      assert.ok(error.message.includes(rig.peer.origin) && error.message.includes(other.peer.origin));
      assert.equal(other.peer.requests.length, 0);
    } finally {
      await other.end();
    }
  });

  it("goes there once the operator has added that origin", async () => {
    const other = await startRig({ methods: answers });
    try {
      rig = await startRig({ methods: answers, card: () => cardAt(`${other.peer.origin}/`) });
      rig.settings = withPeer(rig, { auth: BEARER, loginUrls: [other.peer.origin] });
      await rig.call({ agent: "box" });
      assert.equal(other.peer.calls("SendMessage")[0]?.headers.authorization, `Bearer ${SECRET}`);
    } finally {
      await other.end();
    }
  });

  it("that is missing means that nothing is sent at all", async () => {
    rig = await startRig({ methods: answers });
    rig.settings = withPeer(
      rig,
      { auth: { type: "bearer", header: "X-API-Key", missing: "X is not set" } },
      { sharedToken: "shared-token" },
    );
    await failure(rig.call({ agent: "box" }), "CONFIG_INVALID");
    assert.equal(rig.peer.requests.length, 0);
  });
});

describe("this session's token", () => {
  let rig: Rig;
  afterEach(() => rig.end());

  it("goes to a configured peer on this machine, its own before the shared one", async () => {
    rig = await startRig({ methods: answers });
    const shared = withPeer(rig, {}, { sharedToken: "shared-token" });
    rig.settings = shared;
    await rig.call({ agent: "box" });
    rig.settings = { ...shared, selfIdentity: "me", server: { ...shared.server, peerTokens: { me: "mine" } } };
    await rig.call({ agent: "box" });
    const seen = rig.peer.calls("SendMessage").map(({ headers }) => headers.authorization);
    assert.deepEqual(seen, ["Bearer shared-token", "Bearer mine"]);
  });

  it("stays here when the card names another port, and the call goes without it (C09)", async () => {
    const other = await startRig({ methods: answers });
    try {
      rig = await startRig({ methods: answers, card: () => cardAt(`${other.peer.origin}/`) });
      rig.settings = withPeer(rig, {}, { sharedToken: "shared-token" });
      await rig.call({ agent: "box" });
      assert.equal(other.peer.calls("SendMessage")[0]?.headers.authorization, undefined);
    } finally {
      await other.end();
    }
  });
});

describe("a peer that refuses a login", () => {
  let rig: Rig;
  afterEach(() => rig.end());

  const refused = async (
    options: RigOptions,
    peer: Peer,
    more: { sharedToken?: string; agent?: string } = {},
  ): Promise<A2aError> => {
    rig = await startRig(options);
    rig.settings = withPeer(rig, peer, more);
    const agent = more.agent ?? "box";
    return await failure(rig.call({ agent: agent === "url" ? `${rig.peer.origin}/x` : agent }), "PEER_REFUSED");
  };

  it("with none sent: says what the card asks for and where to set it", async () => {
    const card = (origin: string): AgentCard => ({
      ...cardAt(`${origin}/`),
      securitySchemes: { key: { apiKeySecurityScheme: { location: "header", name: "X-API-Key" } } },
    });
    const error = await refused({ card, methods: refusing(401) }, {});
    assert.match(error.message, /box answered HTTP 401/);
    assert.equal(
      error.hint,
      "It asks for an API key in the header X-API-Key. No login was sent: there is none. Set a2a.peers.box.auth in your settings.",
    );
  });

  it("says the same by WWW-Authenticate, and for the card itself", async () => {
    rig = await startRig();
    rig.peer.answer = (_request, response) =>
      void response.writeHead(401, { "WWW-Authenticate": "Basic realm=x" }).end();
    rig.settings = withPeer(rig, {});
    const error = await failure(rig.call({ agent: "box" }), "PEER_REFUSED");
    assert.match(error.hint, /^It asks for a user name and a password \(basic\)\. No login was sent/);
  });

  it("says that the peer's own login was refused", async () => {
    const error = await refused({ methods: refusing(401) }, { auth: BEARER });
    assert.equal(error.hint, "It refused the bearer token of a2a.peers.box.auth.");
  });

  it("says of a 403 that the login is known", async () => {
    assert.match(
      (await refused({ methods: refusing(403) }, { auth: BEARER })).hint,
      /knows the login .* its operator has to/,
    );
  });

  it("says that this session's token was refused", async () => {
    const error = await refused({ methods: refusing(401) }, {}, { sharedToken: "shared-token" });
    assert.match(error.hint, /refused this session's own token: that session has to know it/);
    assert.doesNotMatch(error.message + error.hint, /shared-token/);
  });

  it("says why this session's token was not sent to a URL", async () => {
    rig = await startRig({ methods: refusing(401) });
    rig.settings = { ...testSettings(), server: { ...testSettings().server, sharedToken: "shared-token" } };
    const error = await failure(rig.call(), "PEER_REFUSED");
    assert.match(error.hint, /this session's token goes to configured peers only\. Add the peer with url and auth/);
    assert.equal(rig.peer.requests.at(-1)?.headers.authorization, undefined);
  });

  it("says it of a peer of the repository (X06)", async () => {
    const error = await refused({ methods: refusing(401) }, { origin: "repository" }, { sharedToken: "shared-token" });
    assert.match(error.hint, /only a file of the repository names this peer/);
  });

  it("and repeats the login on its error page, does not make it known", async () => {
    rig = await startRig();
    const redaction = createRedaction(() => [SECRET]);
    const client = createTestClient(rig.clock, () => rig.settings, undefined, { redaction });
    rig.peer.answer = (_request, response) => void response.writeHead(401).end(`token ${SECRET} is unknown`);
    rig.settings = withPeer(rig, { auth: BEARER });
    const call = client.call({ agent: "box", text: "hello", detached: false, typed: false });
    const error = await failure(call, "PEER_REFUSED");
    assert.match(error.message, /token \[redacted: configured secret\] is unknown/);
    await client.close();
  });

  it("or repeats it in its reply, does not make it known either", async () => {
    rig = await startRig({
      methods: {
        SendMessage: (request, response) => sendResult(request, response, { task: completedTask(`hi ${SECRET}`) }),
      },
    });
    const redaction = createRedaction(() => [SECRET]);
    const client = createTestClient(rig.clock, () => rig.settings, undefined, { redaction });
    rig.settings = withPeer(rig, { auth: BEARER });
    const result = await client.call({ agent: "box", text: "hello", detached: false, typed: false });
    assert.equal(result.text, "hi [redacted: configured secret]");
    await client.close();
  });
});

describe("a login that a command prints", () => {
  it("is renewed once on 401, sent with the same messageId, and then given up", async () => {
    const clock = createFakeClock();
    const dir = await createTempDir();
    let taken = "";
    const rig = await startRig({
      methods: {
        SendMessage(request, response) {
          if (request.headers.authorization === taken) sendResult(request, response, { task: completedTask("done") });
          else response.writeHead(401).end();
        },
      },
    });
    const tokens = createCommandTokens({
      clock,
      commands: createCommandPort(createSystemClock()),
      cwd: () => dir.path,
    });
    const client = createTestClient(clock, () => rig.settings, undefined, { tokens });
    const tokenCommand = "echo x >> runs; echo token-$(wc -l < runs | tr -d ' ')";
    rig.settings = withPeer(rig, { auth: { type: "bearer", header: "X-API-Key", tokenCommand } });
    const call = () => client.call({ agent: "box", text: "hello", detached: false, typed: false });
    try {
      taken = "Bearer token-2";
      assert.equal((await call()).text, "done");
      const sent = rig.peer.calls("SendMessage");
      assert.deepEqual(
        sent.map(({ headers }) => headers.authorization),
        ["Bearer token-1", "Bearer token-2"],
      );
      assert.deepEqual(messageIdOf(sent[0]), messageIdOf(sent[1]));
      taken = "Bearer other";
      const error = await failure(call(), "PEER_REFUSED");
      assert.match(error.hint, /refused the bearer token of a2a\.peers\.box\.auth/);
      assert.equal(rig.peer.calls("SendMessage").length, 4);
    } finally {
      await client.close();
      await rig.end();
      await dir.remove();
    }
  });

  it("and fails means that nothing is sent, and nothing of its output is told", async () => {
    const rig = await startRig({ methods: answers });
    const commands = createCommandPort(createSystemClock());
    const tokens = createCommandTokens({ clock: rig.clock, commands, cwd: () => "/" });
    const client = createTestClient(rig.clock, () => rig.settings, undefined, { tokens });
    const tokenCommand = "echo hunter2 >&2; echo hunter3; exit 7";
    rig.settings = withPeer(rig, { auth: { type: "bearer", header: "X-API-Key", tokenCommand } });
    const error = await failure(
      client.call({ agent: "box", text: "x", detached: false, typed: false }),
      "CONFIG_INVALID",
    );
    assert.match(error.message, /its tokenCommand ended with status 7/);
    assert.doesNotMatch(error.message + error.hint, /hunter/);
    assert.equal(rig.peer.requests.length, 0);
    await client.close();
    await rig.end();
  });
});

describe("a login over TLS", () => {
  let server: Server;
  let origin: string;
  let seen: IncomingHttpHeaders[];
  beforeEach(async () => {
    seen = [];
    server = createServer({ key: TEST_TLS_KEY, cert: TEST_TLS_CERTIFICATE }, (request, response: ServerResponse) => {
      seen.push(request.headers);
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        if (request.method === "GET") return response.end(JSON.stringify(encodeCard(cardAt(`${origin}/`))));
        return response.end(
          JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, result: { task: completedTask("done") } }),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const call = async (verifySsl: boolean): Promise<string> => {
    const settings = testSettings({ verifySsl, peers: { box: { url: origin, auth: BEARER } } });
    const client = createTestClient(createFakeClock(), () => settings);
    try {
      return (await client.call({ agent: "box", text: "hello", detached: false, typed: false })).text;
    } finally {
      await client.close();
    }
  };

  it("is kept from a peer whose certificate nobody vouches for", async () => {
    await failure(call(true), "PEER_UNREACHABLE");
    assert.deepEqual(seen, []);
  });

  it("is sent when verifySsl is false", async () => {
    assert.equal(await call(false), "done");
    assert.deepEqual([...new Set(seen.map(({ authorization }) => authorization))], [`Bearer ${SECRET}`]);
  });
});

describe("the name of this session", () => {
  let rig: Rig;
  afterEach(() => rig.end());

  it("stands in a header of every request and in the message once somebody set it (G11)", async () => {
    rig = await startRig({ methods: answers });
    const base = testSettings();
    rig.settings = { ...base, selfIdentity: "session-a", server: { ...base.server, agentName: "Größe" } };
    await rig.call();
    for (const { headers } of rig.peer.requests) assert.equal(headers["x-a2a-identity"], "session-a");
    assert.deepEqual(selfOf(rig.peer.calls("SendMessage")[0]), { name: "Größe", identity: "session-a" });
  });

  it("is told to nobody while nobody set one", async () => {
    rig = await startRig({ methods: answers });
    await rig.call();
    for (const { headers } of rig.peer.requests) assert.equal(headers["x-a2a-identity"], undefined);
    assert.equal(selfOf(rig.peer.calls("SendMessage")[0]), undefined);
  });
});

function cardAt(url: string): AgentCard {
  return agentCard({ supportedInterfaces: [agentInterface({ url })], capabilities: { streaming: false } });
}

function messageOf(request: PeerRequest | undefined): Record<string, unknown> {
  return (request?.rpc.params?.message ?? {}) as Record<string, unknown>;
}

function messageIdOf(request: PeerRequest | undefined): unknown {
  return messageOf(request).messageId ?? assert.fail("no message");
}

function selfOf(request: PeerRequest | undefined): unknown {
  return (messageOf(request).metadata as Record<string, unknown> | undefined)?.["pi/self"];
}
