// Servers of one agent folder, one after the other or side by side: each an engine over a journal, with a runner that the test
// drives. "Kill" leaves everything as it is; the processes of killed ones are dead to those that start later.

import { join } from "node:path";
import type { AppendParts } from "../../src/core/platform/append-file.ts";
import { createFilesPort, type FilesPort } from "../../src/core/platform/files.ts";
import { createJournalFiles, type JournalFiles } from "../../src/core/platform/journal-files.ts";
import { createLog, type Log } from "../../src/core/platform/log.ts";
import type { Processes, ProcessIdentity } from "../../src/core/platform/processes.ts";
import type { Principal } from "../../src/core/ports.ts";
import type { Task } from "../../src/core/protocol/types.ts";
import { createEngine } from "../../src/engine/engine.ts";
import type { Engine, EngineLimits, Submission, SubmitRequest } from "../../src/engine/engine-types.ts";
import { type Journal, openJournal } from "../../src/engine/journal/journal.ts";
import { createSiblings, type Siblings } from "../../src/engine/siblings/siblings.ts";
import { userMessage } from "./builders.ts";
import { createCountIds } from "./count-ids.ts";
import { ALICE, GENEROUS_LIMITS } from "./engine-rig.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createDrivenRunner, type DrivenRunner, type RunHandle } from "./scripted-runner.ts";
import { createTempDir } from "./temp-dir.ts";

export interface KeptServer {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly siblings: Siblings;
  /** What its start could not read or take over. */
  readonly problems: readonly string[];
  readonly runner: DrivenRunner;
  readonly log: Log;
  readonly key: string;
  /** A task that completed with this reply. */
  finish(reply: string, fields?: Partial<SubmitRequest>): Promise<Submission>;
  /** A task whose run has begun. */
  start(fields?: Partial<SubmitRequest>): Promise<Submission & { readonly run: RunHandle }>;
  /** The task once it has ended or asks. */
  settled(submission: Pick<Submission, "taskId" | "first">, owner?: Principal): Promise<Task>;
  /** The process ends at once: what it has begun with the system is done, and nothing more. */
  kill(): Promise<void>;
  /** Engine and journal end as on quit. */
  quit(): Promise<void>;
}

export interface JournalHouse {
  readonly folder: string;
  readonly clock: FakeClock;
  /** May be changed; servers look at them at once. */
  limits: EngineLimits;
  open(options?: ServerOptions): Promise<KeptServer>;
  remove(): Promise<void>;
}

export interface ServerOptions {
  readonly parts?: Partial<AppendParts>;
  readonly files?: (real: FilesPort) => FilesPort;
  readonly journalFiles?: (real: JournalFiles) => JournalFiles;
  readonly namespace?: string;
  readonly segmentBytes?: number;
  readonly sync?: boolean;
  /** Whether runs take messages while they work; by default they do not. */
  readonly steerable?: boolean;
  /** `server-<pid>` unless it is given. */
  readonly key?: string;
  readonly trace?: (taskId: string) => string | undefined;
  /** That of the house unless it is given. */
  readonly clock?: FakeClock;
}

export async function createJournalHouse(): Promise<JournalHouse> {
  const dir = await createTempDir();
  const house: { limits: EngineLimits } = { limits: GENEROUS_LIMITS };
  const folder = join(dir.path, "a2a_tasks");
  // Real turns of the event loop: reading files takes some.
  const fake = createFakeClock();
  const houseClock: FakeClock = { ...fake, defer: (fire) => stoppable(setImmediate(fire)) };
  const dead = new Set<number>();
  const opened: { close(): Promise<void> }[] = [];
  const ids = createCountIds();
  let pids = 0;

  const open = async (options: ServerOptions = {}): Promise<KeptServer> => {
    const { clock = houseClock } = options;
    const self: ProcessIdentity = identity(++pids, options.namespace);
    const isDead = (): boolean => dead.has(self.pid);
    const key = options.key ?? `server-${self.pid}`;
    const log = createLog(clock, ids.token);
    const runner = createDrivenRunner({ steerable: options.steerable ?? false });
    const ports = {
      ...{ folder, clock, log },
      files: mortal(options.files?.(createFilesPort()) ?? createFilesPort(), isDead),
      journalFiles: mortal(
        wrapped(noting(createJournalFiles(clock, options.parts), opened, isDead), options.journalFiles),
        isDead,
      ),
      processes: { self, liveness: (other: ProcessIdentity) => livenessOf(self, other, dead) },
    };
    const { journal, recovered, problems } = await openJournal({
      ...{ ...ports, key, secret: `secret-${self.pid}` },
      sync: () => options.sync ?? false,
      ...(options.segmentBytes === undefined ? {} : { segmentBytes: options.segmentBytes }),
    });
    const unwritable = journal.problem();
    const limits = (): EngineLimits => house.limits;
    const engine = createEngine({ clock, ids, log, runner, sink: journal, store: journal, limits });
    const trace = options.trace ?? ((): undefined => undefined);
    await engine.recover(recovered, trace);
    const siblings = createSiblings({
      ...{ ...ports, journal, others: () => new Set<string>(), retentionMs: () => house.limits.retentionMs },
      take: (tasks) => engine.recover(tasks, trace),
    });
    const start: KeptServer["start"] = async (fields) => {
      const known = runner.runs.length;
      const submission = await engine.submit({ caller: ALICE, message: userMessage(), detached: false, ...fields });
      while (runner.runs.length === known) await turn();
      const run = runner.runs[known];
      if (run === undefined) throw new Error("no run began");
      return { ...submission, run };
    };
    const settled: KeptServer["settled"] = async ({ taskId, first }, owner = ALICE) => {
      await first;
      return engine.settled(owner, taskId);
    };
    return {
      ...{ engine, journal, siblings, runner, log, key, start, settled },
      problems: unwritable === undefined ? problems : [unwritable, ...problems],
      async finish(reply, fields) {
        const { run, ...submission } = await start(fields);
        run.working();
        run.text(reply);
        run.complete();
        await settled(submission, fields?.caller);
        return submission;
      },
      async kill() {
        dead.add(self.pid);
        for (let n = 0; n < 20; n++) await turn();
      },
      async quit() {
        await engine.stop("the session ended");
        await siblings.close();
        await journal.close();
      },
    };
  };
  return {
    folder,
    clock: houseClock,
    get limits() {
      return house.limits;
    },
    set limits(limits) {
      house.limits = limits;
    },
    open,
    async remove() {
      // Those of killed servers are still open here.
      for (const file of opened) await file.close().catch(() => undefined);
      await dir.remove();
    },
  };
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function stoppable(handle: NodeJS.Immediate): { stop(): void } {
  return { stop: () => clearImmediate(handle) };
}

function identity(pid: number, namespace = "ns"): ProcessIdentity {
  return { pid, start: "1", boot: "boot", namespace, machine: "here" };
}

function livenessOf(
  self: ProcessIdentity,
  other: ProcessIdentity,
  dead: ReadonlySet<number>,
): ReturnType<Processes["liveness"]> {
  if (other.namespace !== self.namespace) return "unknown";
  return dead.has(other.pid) ? "dead" : "alive";
}

/** What a dead process asks for never happens, and it never hears of that. */
function mortal<T extends object>(port: T, isDead: () => boolean): T {
  return new Proxy(port, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== "function") return method;
      return (...args: unknown[]) => (isDead() ? new Promise(() => undefined) : Reflect.apply(method, target, args));
    },
  });
}

/** A process that is dead does nothing with the files that it had open either. */
function noting(real: JournalFiles, opened: { close(): Promise<void> }[], isDead: () => boolean): JournalFiles {
  return {
    ...real,
    create(path) {
      const file = real.create(path);
      opened.push(file);
      return mortal(file, isDead);
    },
    async open(path) {
      const file = await real.open(path);
      if (file === undefined) return undefined;
      opened.push(file);
      return mortal(file, isDead);
    },
  };
}

function wrapped(real: JournalFiles, wrap: ((real: JournalFiles) => JournalFiles) | undefined): JournalFiles {
  return wrap?.(real) ?? real;
}
