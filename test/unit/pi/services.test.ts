import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSystemClock } from "../../../src/core/platform/clock.ts";
import { isA2aError } from "../../../src/core/platform/errors.ts";
import { createLog } from "../../../src/core/platform/log.ts";
import { createLiveHost, type LiveHost } from "../../../src/pi/host/live-host.ts";
import { createServices, type Services } from "../../../src/pi/services.ts";
import { createFakeContext, createFakePi } from "../../support/fake-pi.ts";
import { createTempDir } from "../../support/temp-dir.ts";

const AGENT_DIR = "PI_CODING_AGENT_DIR";

describe("services", () => {
  let temp: Awaited<ReturnType<typeof createTempDir>>;
  let services: Services | undefined;
  let notified: ReturnType<typeof createFakeContext>["notified"];
  const agentDirBefore = process.env[AGENT_DIR];

  beforeEach(async () => {
    temp = await createTempDir();
    process.env[AGENT_DIR] = temp.path;
  });

  afterEach(async () => {
    await services?.stop("the test is over");
    services = undefined;
    if (agentDirBefore === undefined) delete process.env[AGENT_DIR];
    else process.env[AGENT_DIR] = agentDirBefore;
    await temp.remove();
  });

  const write = (workspace: string): Promise<void> =>
    writeFile(
      join(temp.path, "settings.json"),
      JSON.stringify({ a2a: { retryAttempts: 0, server: { port: 0, workspace } } }),
    );

  function bound(cwd: string): LiveHost {
    const host = createLiveHost();
    const { ctx, notified: told } = createFakeContext({ cwd, hasUI: true });
    notified = told;
    const launch = { extensionPaths: [], discoverExtensions: true, tools: {}, ownPackageDir: "/package" };
    host.bind({ pi: createFakePi().api, ctx, notes: { add: () => undefined, close: () => undefined }, launch });
    return host;
  }

  const create = (host: LiveHost, before?: Services): Promise<Services> => {
    const clock = createSystemClock();
    const follows = before === undefined ? {} : { before };
    return createServices({ host, clock, log: createLog(clock, () => "log-1"), ...follows });
  };

  async function make(cwd: string): Promise<Services> {
    services = await create(bound(cwd));
    return services;
  }

  const refusal = (path: string) => (error: unknown) =>
    isA2aError(error, "CONFIG_INVALID") && error.message.includes(path) && /server\.workspace/.test(error.hint);

  it("do not serve a workspace that is not there, and serve it once it is", async () => {
    const workspace = join(temp.path, "nope");
    await write(workspace);
    const { server } = await make(temp.path);
    await assert.rejects(server.start(), refusal(workspace));
    assert.equal(server.report(), undefined);
    await mkdir(workspace);
    assert.equal((await server.start()).already, false);
  });

  it("do not serve a file, or a session's folder that was removed", async () => {
    const file = join(temp.path, "file");
    await writeFile(file, "");
    await write(file);
    await assert.rejects((await make(temp.path)).server.start(), refusal(file));
    await write("");
    const gone = join(temp.path, "gone");
    await assert.rejects((await make(gone)).server.start(), refusal(gone));
  });

  it("keep the audit in the agent folder, with what is there when they stop", async () => {
    await write(temp.path);
    const { client, audit, stop } = await make(temp.path);
    await assert.rejects(client.discover("http://127.0.0.1:1/", { typed: true }));
    await stop("over");
    assert.equal(audit.path, join(temp.path, "a2a_audit.jsonl"));
    const line = JSON.parse(await readFile(audit.path, "utf8"));
    assert.deepEqual(
      [line.direction, line.event, line.identity, line.error],
      ["out", "call", "127.0.0.1:1", "PEER_UNREACHABLE"],
    );
  });

  it("tell the person once, and go on, when there can be no audit", async () => {
    await write(temp.path);
    await mkdir(join(temp.path, "a2a_audit.jsonl"));
    const { client, stop } = await make(temp.path);
    await assert.rejects(client.discover("http://127.0.0.1:1/", { typed: true }));
    await stop("over");
    assert.deepEqual(
      notified.map(({ text, level }) => [text.replace(temp.path, ""), level]),
      [
        [
          "The audit is not written: cannot write /a2a_audit.jsonl: EISDIR: illegal operation on a directory",
          "warning",
        ],
      ],
    );
  });

  it("end at quit also the server that a reload could not take over", async () => {
    await write(temp.path);
    const first = await make(temp.path);
    const { report } = await first.server.start();
    const host = bound(temp.path);
    let gone = false;
    services = await create({ ...host, current: () => (gone ? undefined : host.current()) }, first);
    gone = true;
    const failed = (error: unknown): boolean => isA2aError(error, "SESSION_UNAVAILABLE");
    await assert.rejects(services.server.start(), failed);
    assert.equal((await fetch(report.cardUrl)).status, 200);
    await services.stop("quit");
    await assert.rejects(fetch(report.cardUrl));
  });
});
