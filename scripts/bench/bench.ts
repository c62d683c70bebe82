// One run of the bench as a thing with a lifetime: its folder, its processes, and their end, whatever happens.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { type MeasuredProcess, startMeasured } from "../../test/hostile/support/measured-process.ts";
import { REPOSITORY } from "../../test/support/e2e-host.ts";
import type { HttpLoad, HttpLoadResult, StreamLoad, StreamLoadResult } from "./load-types.ts";
import type { BenchOptions, Plan } from "./plan.ts";
import type { OursSettings, SdkSettings } from "./servers/server-settings.ts";

const PROGRAMS = ["load.ts", "servers/ours.ts", "servers/bare.ts", "servers/sdk.ts"];
const MAX_HEAP_MB = 4096;

/** A server in a process of its own. */
export interface Server {
  readonly name: "ours" | "bare" | "sdk";
  readonly url: string;
  ask<T>(what: string, payload?: unknown): Promise<T>;
  /** Microseconds of processor time so far. */
  cpuMicros(): Promise<number>;
  /** Ends it in good order. Throws when it had died, or has logged a fault. */
  stop(): Promise<void>;
}

export interface Bench {
  readonly plan: Plan;
  /** For files; removed with the bench. */
  readonly folder: string;
  /** Whether rows of this id are wanted. */
  wants(...ids: readonly string[]): boolean;
  startOurs(settings: Omit<OursSettings, "folder"> & { readonly folder?: string }): Promise<Server>;
  startBare(): Promise<Server>;
  startSdk(settings: SdkSettings): Promise<Server>;
  sendRequests(load: HttpLoad): Promise<HttpLoadResult>;
  readStreams(load: StreamLoad): Promise<StreamLoadResult>;
  /** For what has to end with the bench; ends it now when that has gone. */
  onClose(end: () => Promise<void>): Promise<void>;
  /** Throws when the bench was closed, so that nothing new is started. */
  check(): void;
  tell(text: string): void;
  /** Ends everything that was started and removes the folder. */
  close(): Promise<void>;
}

export async function openBench(options: BenchOptions, plan: Plan, tell: (text: string) => void): Promise<Bench> {
  const cache = join(REPOSITORY, ".cache");
  mkdirSync(cache, { recursive: true });
  // Inside the repository, where programs find its packages.
  const folder = mkdtempSync(join(cache, "bench-"));
  const ends: (() => Promise<void>)[] = [];
  let closed = false;
  let folders = 0;
  const onClose = async (end: () => Promise<void>): Promise<void> => {
    if (closed) await end();
    else ends.push(end);
  };
  const check = (): void => {
    if (closed) throw new Error("the bench was stopped");
  };
  const start = async (program: string, settings: object, node: readonly string[] = []): Promise<MeasuredProcess> => {
    check();
    const url = pathToFileURL(join(folder, "programs", `${program}.js`));
    const started = await startMeasured(url, settings, MAX_HEAP_MB, node);
    await onClose(() => started.end());
    check();
    return started;
  };
  const startServer = async (name: Server["name"], settings: object, node?: readonly string[]): Promise<Server> =>
    serverOf(name, await start(`servers/${name}`, settings, node));
  let load: Promise<MeasuredProcess> | undefined;
  const loader = (): Promise<MeasuredProcess> => {
    load ??= start("load", {});
    return load;
  };
  const newFolder = (): string => {
    const path = join(folder, `files-${++folders}`);
    mkdirSync(path);
    return path;
  };
  const close = async (): Promise<void> => {
    closed = true;
    await Promise.allSettled(ends.reverse().map((end) => end()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await compile(join(folder, "programs"));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...{ plan, folder, onClose, check, tell, close },
    wants: (...ids) => ids.some((id) => id.startsWith(options.only)),
    startOurs: (settings) => startServer("ours", { folder: newFolder(), ...settings }, profiling(options.profile)),
    startBare: () => startServer("bare", {}),
    startSdk: (settings) => startServer("sdk", settings),
    sendRequests: async (work) => (await loader()).ask("sendRequests", work),
    readStreams: async (work) => (await loader()).ask("readStreams", work),
  };
}

/** As a package is published: types taken out, in one file each. */
async function compile(outdir: string): Promise<void> {
  const entryPoints = PROGRAMS.map((program) => join(REPOSITORY, "scripts", "bench", program));
  await build({
    ...{ entryPoints, outdir, outbase: join(REPOSITORY, "scripts", "bench") },
    ...{ bundle: true, platform: "node", format: "esm", target: "node20", packages: "external", logLevel: "error" },
  });
}

function profiling(folder: string | undefined): readonly string[] {
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
}

async function serverOf(name: Server["name"], child: MeasuredProcess): Promise<Server> {
  return {
    name,
    url: await child.ask<string>("address"),
    ask: (what, payload) => child.ask(what, payload),
    cpuMicros: () => child.ask("cpuMicros"),
    async stop() {
      const faults = await child.ask<readonly string[]>("faults");
      await child.ask("stop");
      await child.end();
      if (faults.length > 0) throw new Error(`faults in the measured server (${name}): ${faults.join("; ")}`);
    },
  };
}
