import assert from "node:assert/strict";
import { NO_USAGE } from "../../../src/pi/child/usage.ts";
import { createServerControl, type ServerParts } from "../../../src/pi/server-control.ts";

function parts(log: string[] = []): ServerParts {
  const stats = { running: 0, waiting: 0, maxConcurrent: 3, tasks: 0, completed: 0, failed: 0 };
  const engine = {
    stats: () => stats,
    running: () => [],
    stop: async (reason: string) => void log.push(`engine: ${reason}`),
  };
  const listener = {
    host: "127.0.0.1",
    port: 9910,
    origin: "http://127.0.0.1:9910",
    busyPort: undefined,
    stop: async () => void log.push("listener"),
  };
  const made = {
    engine,
    listener,
    url: () => "http://127.0.0.1:9910/",
    usage: () => NO_USAGE,
    keptProblems: () => [],
    generations: { closeDoors: () => undefined },
    handler: { close: () => void log.push("handler") },
    close: () => void log.push("feed"),
  };
  return made as unknown as ServerParts;
}

describe("server control", () => {
  it("starts once, however often it is asked (L04)", async () => {
    let built = 0;
    const control = createServerControl(async () => {
      built++;
      return parts();
    });
    const [first, second] = await Promise.all([control.start(), control.start()]);
    assert.equal(built, 1);
    assert.equal(first.already, false);
    assert.equal(second.already, true);
    assert.equal((await control.start()).already, true);
  });

  it("lets callers hear the end of their task before it closes their sockets", async () => {
    const log: string[] = [];
    const control = createServerControl(async () => parts(log));
    await control.start();
    assert.equal(await control.stop("stopped by its operator"), true);
    assert.deepEqual(log, ["engine: stopped by its operator", "handler", "listener", "feed"]);
    assert.equal(control.report(), undefined);
    assert.equal(await control.stop("again"), false);
  });

  it("can be started again after a failed start and after a stop", async () => {
    let fail = true;
    const control = createServerControl(async () => {
      if (fail) throw new Error("port taken");
      return parts();
    });
    await assert.rejects(control.start(), /port taken/);
    fail = false;
    await control.start();
    await control.stop("x");
    assert.equal((await control.start()).already, false);
  });

  it("tears down what a stop caught in the middle of its start", async () => {
    const log: string[] = [];
    let finish = (_made: ServerParts): void => undefined;
    const control = createServerControl(() => new Promise<ServerParts>((resolve) => (finish = resolve)));
    const starting = control.start();
    await Promise.resolve();
    const stopping = control.stop("quit");
    finish(parts(log));
    await assert.rejects(starting, /stopped while it started/);
    await stopping;
    assert.deepEqual(log, ["engine: quit", "handler", "listener", "feed"]);
  });

  it("gives away also what is about to run, so that no socket is left behind", async () => {
    const log: string[] = [];
    const made = parts(log);
    let finish = (_made: ServerParts): void => undefined;
    const control = createServerControl(() => new Promise<ServerParts>((resolve) => (finish = resolve)));
    const starting = control.start();
    await Promise.resolve();
    assert.equal(control.isOn(), true);
    const given = control.release();
    assert.equal(control.isOn(), false);
    finish(made);
    assert.equal(await given, made);
    assert.equal((await starting).already, false);
    assert.equal(control.report(), undefined);
    assert.equal(await control.stop("the former load ends"), false);
    assert.deepEqual(log, []);
  });

  it("gives nothing away when the start fails, and whoever started it hears why", async () => {
    let fail = (_error: Error): void => undefined;
    const control = createServerControl(() => new Promise<ServerParts>((_resolve, reject) => (fail = reject)));
    const starting = control.start();
    const failed = assert.rejects(starting, /port taken/);
    await Promise.resolve();
    const given = control.release();
    fail(new Error("port taken"));
    assert.equal(await given, undefined);
    await failed;
  });

  it("ends again what it gave away and nobody could take", async () => {
    const log: string[] = [];
    const control = createServerControl(async () => parts(log));
    await control.start();
    const given = await control.release();
    assert.ok(given !== undefined);
    control.takeBack(given);
    assert.ok(control.report() !== undefined);
    assert.equal(await control.stop("quit"), true);
    assert.deepEqual(log, ["engine: quit", "handler", "listener", "feed"]);
  });
});
