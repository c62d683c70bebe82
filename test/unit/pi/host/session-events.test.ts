import assert from "node:assert/strict";
import type { LoadedSettings } from "../../../../src/core/config/settings.ts";
import { createLog } from "../../../../src/core/platform/log.ts";
import { createLiveHost } from "../../../../src/pi/host/live-host.ts";
import { registerSessionEvents } from "../../../../src/pi/host/session-events.ts";
import type { Services } from "../../../../src/pi/services.ts";
import type { ServicesHolder } from "../../../../src/pi/services-holder.ts";
import { createSettingsWarnings } from "../../../../src/pi/ui/settings-warnings.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { createFakeContext, createFakePi } from "../../../support/fake-pi.ts";
import { settingsWith } from "../../../support/server-settings.ts";

interface BenchOptions {
  readonly enabled?: boolean;
  readonly broken?: boolean;
  readonly refusedHost?: boolean;
  readonly warnings?: readonly string[];
  /** There are none before the first use, unless the server is on. */
  readonly services?: boolean;
  /** The session has dispatched a task that nobody was told of. */
  readonly dispatched?: boolean;
}

function bench(options: BenchOptions = {}) {
  const pi = createFakePi();
  const asked: string[] = [];
  let running = false;
  const server = {
    async start() {
      const already = running;
      running = true;
      asked.push(already ? "start again" : "start");
      const origin = "http://127.0.0.1:9910";
      const report = { host: "127.0.0.1", origin, cardUrl: `${origin}/card`, keptProblems: [] };
      return { already, report: options.refusedHost === true ? { ...report, refusedHost: "0.0.0.0" } : report };
    },
  };
  const dispatched = { resume: async () => void resumed.push(host.current()?.cwd) };
  const resumed: unknown[] = [];
  const loads: string[] = [];
  const holder: ServicesHolder = {
    get: async () => ({ server, workspace: () => "/workspace", dispatched }) as unknown as Services,
    has: () => options.services === true,
    succeed: async () => void asked.push("succeed"),
    awaitSession: () => void asked.push("await session"),
    sessionIsBack: () => void asked.push("session is back"),
    end: async (reason) => void asked.push(`end: ${reason}`),
  };
  const host = createLiveHost();
  registerSessionEvents(pi.api, {
    host,
    log: createLog(createFakeClock(), () => "log-1"),
    notes: { add: () => undefined, close: () => void asked.push("notes closed") },
    launch: { extensionPaths: [], discoverExtensions: true, tools: {}, ownPackageDir: "/package" },
    holder,
    warnings: createSettingsWarnings(),
    look: async () => ({
      loaded: await loaded(options),
      needsServices: options.enabled === true || options.dispatched === true,
    }),
    loadSettings: () => {
      loads.push("settings");
      return loaded(options);
    },
  });
  const context = createFakeContext();
  const start = (reason = "startup") => pi.emit("session_start", { type: "session_start", reason }, context.ctx);
  const shutdown = (reason: string) => pi.emit("session_shutdown", { type: "session_shutdown", reason }, context.ctx);
  const run = () => pi.emit("before_agent_start", { type: "before_agent_start" }, context.ctx);
  return { asked, resumed, loads, start, run, shutdown, host, notified: context.notified };
}

async function loaded({ broken, enabled, warnings = [] }: BenchOptions): Promise<LoadedSettings> {
  if (broken === true) throw new Error("disk on fire");
  return {
    settings: settingsWith({ enabled: enabled === true }),
    warnings: warnings.map((text) => ({ source: "environment", key: "x", text })),
    find: () => undefined,
  };
}

describe("session events", () => {
  it("start the server only when the settings say so", async () => {
    const off = bench();
    await off.start();
    assert.deepEqual(off.asked, ["session is back"]);
    const on = bench({ enabled: true });
    await on.start();
    assert.deepEqual(on.asked, ["session is back", "start"]);
    const [said] = on.notified;
    assert.match(said?.text ?? "", /listening on 127\.0\.0\.1:9910/);
    assert.match(said?.text ?? "", /Who may call: .*\nWhat callers get: .*\/workspace/);
    assert.equal(said?.level, "info");
  });

  it("go on with the session's dispatched tasks once it is live", async () => {
    const { start, resumed } = bench({ dispatched: true });
    await start();
    assert.deepEqual(resumed, ["/workspace"]);
  });

  it("ask for no services while nothing needs them", async () => {
    const { start, resumed, loads, notified } = bench({ warnings: ["A2A_PORT is abc"] });
    await start();
    assert.deepEqual([resumed, loads], [[], []]);
    assert.equal(notified.length, 1);
  });

  it("give services that are there their session, whatever it needs", async () => {
    const { start, resumed, loads } = bench({ services: true });
    await start("new");
    assert.deepEqual([resumed, loads], [["/workspace"], ["settings"]]);
  });

  it("warn of a host that was refused", async () => {
    const { start, notified } = bench({ enabled: true, refusedHost: true });
    await start();
    assert.match(notified[0]?.text ?? "", /Not listening on 0\.0\.0\.0/);
    assert.equal(notified[0]?.level, "warning");
  });

  it("may come twice: one server, said once (L04)", async () => {
    const { start, notified } = bench({ enabled: true });
    await start();
    await start("new");
    assert.equal(notified.length, 1);
  });

  it("may never come: the session is the one whose first run begins, and nothing is started for it (L04)", async () => {
    const { run, host, asked } = bench({ enabled: true });
    await run();
    assert.equal(host.current()?.cwd, "/workspace");
    assert.deepEqual(asked, []);
  });

  it("may end without a start (L04)", async () => {
    const { shutdown, asked } = bench();
    await shutdown("quit");
    assert.deepEqual(asked, ["notes closed", "end: the Pi session that ran this task was closed"]);
  });

  it("keep everything while a session is replaced, and only then wait for the next one", async () => {
    const { start, shutdown, asked } = bench();
    await start();
    for (const reason of ["new", "resume", "fork", "reload"]) await shutdown(reason);
    assert.deepEqual(asked.filter((what) => what === "await session").length, 4);
    assert.ok(!asked.some((what) => what.startsWith("end")));
  });

  it("take over the running server after a reload", async () => {
    const { start, asked } = bench();
    await start("reload");
    assert.deepEqual(asked, ["session is back", "succeed"]);
  });

  it("name the settings that were not taken", async () => {
    const { start, notified } = bench({ warnings: ["A2A_PORT is abc"] });
    await start();
    assert.match(notified[0]?.text ?? "", /not taken:\n- A2A_PORT is abc/);
    assert.equal(notified[0]?.level, "warning");
  });

  it("name them once in a session, and again in the next", async () => {
    const { start, shutdown, notified } = bench({ warnings: ["A2A_PORT is abc"] });
    await start();
    await start();
    assert.equal(notified.length, 1);
    await shutdown("new");
    await start("new");
    assert.equal(notified.length, 2);
  });

  it("tell the person when the start fails, and let the host go on", async () => {
    const { start, notified } = bench({ broken: true });
    await start();
    assert.match(notified[0]?.text ?? "", /failed unexpectedly \(log id log-1\)/);
    assert.equal(notified[0]?.level, "error");
  });
});
