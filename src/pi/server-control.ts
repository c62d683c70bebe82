// Owns the inbound server of this process: start, stop, what it is. Starting twice gives the running one.

import type { Settings } from "../core/config/settings.ts";
import { A2aError } from "../core/platform/errors.ts";
import type { FilesPort } from "../core/platform/files.ts";
import type { Engine, EngineStats, RunningTask } from "../engine/engine-types.ts";
import type { Listener, WatchedHandler } from "../inbound/server-types.ts";
import type { Usage } from "./child/usage.ts";
import type { Generations } from "./generations.ts";

export interface ServerParts {
  readonly engine: Engine;
  readonly handler: WatchedHandler;
  readonly listener: Listener;
  /** Where others call this server, in the settings of the moment; ends with a slash where it has no path. */
  readonly url: () => string;
  /** A host that was asked for and refused, because callers do not log in. */
  readonly refusedHost?: string;
  /** Its engine is that of these. */
  readonly generations: Generations;
  /** What is the matter with the tasks that are kept, for people. */
  readonly keptProblems: () => readonly string[];
  /** What the runs of its tasks took so far. */
  readonly usage: () => Usage;
  /** Stops the display of inbound work, and waits until what ended tasks leave is removed. */
  readonly close: () => Promise<void>;
}

export interface ServerReport {
  readonly host: string;
  readonly port: number;
  readonly origin: string;
  /** Where others read the card. */
  readonly cardUrl: string;
  /** The configured host, when it would have let in anybody and another one is used. */
  readonly refusedHost?: string;
  /** The configured port, when it was taken and another one is used. */
  readonly busyPort?: number;
  readonly stats: EngineStats;
  readonly running: readonly RunningTask[];
  readonly usage: Usage;
  /** What is the matter with the tasks that are kept; empty when nothing is. */
  readonly keptProblems: readonly string[];
}

export interface ServerControl {
  /** Starts, or tells that it runs already. Throws PORT_UNAVAILABLE, SESSION_UNAVAILABLE. */
  start(): Promise<{ readonly report: ServerReport; readonly already: boolean }>;
  /** Ends every inbound task with `reason` and frees the port; false when no server was running. */
  stop(reason: string): Promise<boolean>;
  report(): ServerReport | undefined;
  /** A server runs, or is about to. */
  isOn(): boolean;
  /**
   * Gives the server away to a newer load of this package; undefined when none runs. Nothing is stopped, and one that is about to run
   * is waited for: a start with many tasks takes a while.
   */
  release(): Promise<ServerParts | undefined>;
  /** What was given away could not be taken: it is this one's again, so that a stop still ends it. */
  takeBack(given: ServerParts): void;
}

/** `build` makes the parts of one server run from the settings of that moment. */
export function createServerControl(build: () => Promise<ServerParts>): ServerControl {
  let parts: Promise<ServerParts> | undefined;
  let live: ServerParts | undefined;
  let stopping: Promise<void> = Promise.resolve();
  const stopped = new WeakSet<Promise<ServerParts>>();

  const start = async (): Promise<{ report: ServerReport; already: boolean }> => {
    await stopping;
    const already = parts !== undefined;
    parts ??= build();
    const mine = parts;
    try {
      const built = await mine;
      if (stopped.has(mine)) throw new A2aError("SHUTTING_DOWN", "the A2A server was stopped while it started");
      if (parts === mine) live = built;
      return { report: reportOf(built), already };
    } catch (error) {
      if (parts === mine) parts = undefined;
      throw error;
    }
  };

  const stop = async (reason: string): Promise<boolean> => {
    const ending = parts;
    if (ending === undefined) return false;
    parts = undefined;
    live = undefined;
    stopped.add(ending);
    stopping = ending.then(
      (built) => tearDown(built, reason),
      () => undefined,
    );
    await stopping;
    return true;
  };

  const release = async (): Promise<ServerParts | undefined> => {
    const given = parts;
    parts = undefined;
    live = undefined;
    // Whoever started it hears why it failed.
    return await given?.catch(() => undefined);
  };

  return {
    ...{ start, stop, release },
    takeBack(given) {
      parts = Promise.resolve(given);
      live = given;
    },
    isOn: () => parts !== undefined,
    report: () => (live === undefined ? undefined : reportOf(live)),
  };
}

/** Throws CONFIG_INVALID while what was meant to keep callers out could not be read. */
export function needUsableSettings({ server }: Settings): void {
  if (server.refusals.length === 0) return;
  throw new A2aError("CONFIG_INVALID", `callers could not be kept out as you meant: ${server.refusals.join("; ")}`, {
    hint: "Correct what the message names, then start the server again.",
  });
}

/** Throws CONFIG_INVALID when there is no folder that tasks could work in: each of them would fail. */
export async function needWorkspace(files: FilesPort, path: string): Promise<void> {
  if ((await files.stat(path))?.kind === "folder") return;
  throw new A2aError("CONFIG_INVALID", `the workspace ${path} is not a folder that exists`, {
    hint: "Create it, or change a2a.server.workspace, then start the server again.",
  });
}

/** Callers hear the end of their task before their sockets close. */
async function tearDown(parts: ServerParts, reason: string): Promise<void> {
  await parts.engine.stop(reason);
  parts.handler.close();
  parts.generations.closeDoors();
  await Promise.all([parts.listener.stop(), parts.close()]);
}

function reportOf(parts: ServerParts): ServerReport {
  const { listener, engine, refusedHost } = parts;
  return {
    host: listener.host,
    port: listener.port,
    origin: listener.origin,
    cardUrl: `${parts.url().replace(/\/$/, "")}/.well-known/agent-card.json`,
    ...(refusedHost === undefined ? {} : { refusedHost }),
    ...(listener.busyPort === undefined ? {} : { busyPort: listener.busyPort }),
    stats: engine.stats(),
    running: engine.running(),
    usage: parts.usage(),
    keptProblems: parts.keptProblems(),
  };
}
