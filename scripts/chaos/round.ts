// Owns one round of the chaos run: servers start on the folder, everybody comes back with their ids, then there is load until the servers
// are killed at some moment, and what is on disk is judged.

import { setTimeout as pause } from "node:timers/promises";
import { createRandom, type Random } from "../../test/hostile/support/random.ts";
import { type Book, count, type Known } from "./book.ts";
import { createClient } from "./client.ts";
import type { DeathPoint } from "./death.ts";
import { CROWD, OWNERS, putUnderLoad, TASKS_PER_LIFE } from "./load.ts";
import type { Site } from "./operations.ts";
import { judgeFolder, judgeNotes, judgeRuns } from "./oracle.ts";
import { keyOf, type ServerOptions, type ServerProcess, startServerProcess } from "./server-process.ts";
import { sendAgain, verify } from "./verify.ts";

/** moment: killed by the clock. step: kills itself at a change of its files. smaller: the
 *  same, while files are made smaller. recovery: killed while it starts. two: two start at once.
 *  overlap: the next one starts while another of the folder lives on. quit: it is told to quit, and may be killed in that. */
const WAYS = [
  "moment",
  "moment",
  "moment",
  "step",
  "step",
  "smaller",
  "smaller",
  "recovery",
  "recovery",
  "two",
  "overlap",
  "quit",
] as const;

/** Small, so that files are made smaller all the time. */
const SEGMENT_BYTES = 64 * 1024;
/** Acknowledged tasks until a kill; a slow machine has less time for them than it takes. */
const LOAD_TASKS = 300;
const LOAD_MS = 1_500;
const STEPS_OF_LOAD = 400;
const STEPS_OF_START = 12;
const STEPS_OF_SMALLER = 12;
const START_MS = 80;
/** Older tasks that are asked for in each round. */
const SAMPLE = 60;

export interface Run {
  readonly seed: number;
  readonly book: Book;
  readonly folder: string;
  readonly runsPath: string;
  readonly notesPath: string;
  notes: number;
  lives: number;
  messages: number;
  /** Started already, without a folder. */
  readonly spare: ServerProcess[];
}

interface Server extends Site {
  readonly process: ServerProcess;
}

export async function runRound(run: Run, round: number): Promise<void> {
  const random = createRandom(`round ${round}`, run.seed);
  const way = random.pick(WAYS);
  count(run.book, `round: ${way}`);
  if (way === "recovery") for (let n = random.int(3); n >= 0; n--) await dieAtStart(run, random);
  const together = way === "two" || way === "overlap" ? 2 : 1;
  let servers = await startTogether(run, together, stepOf(way, random));
  if (servers.length === 0) return;
  await comeBack(run, servers, random);
  const seeded = (site: Site) => (name: string) => createRandom(`round ${round}, life ${site.life}, ${name}`, run.seed);
  const load = (server: Server) => putUnderLoad(run.book, server, seeded(server), () => ++run.messages);
  const loads = servers.map(load);
  if (way === "overlap") {
    await loadOrDeath(run, servers, random.int(LOAD_TASKS));
    await end(run, servers.slice(0, 1), random, "kill");
    const [next] = await startTogether(run, 1, undefined, servers.slice(1));
    servers = [...servers.slice(1), ...(next === undefined ? [] : [next])];
    loads.push(...servers.slice(1).map(load));
  }
  const dies = way === "step" || way === "smaller";
  await loadOrDeath(run, servers, dies ? Number.POSITIVE_INFINITY : random.int(LOAD_TASKS));
  await pause(random.int(5));
  await end(run, servers, random, way === "quit" ? "quit" : "kill");
  await Promise.all(loads);
  judge(run);
}

/** All tasks of the last round, and some older ones. */
async function comeBack(run: Run, servers: readonly Server[], random: Random): Promise<void> {
  const all = [...run.book.known.values()];
  const fresh = all.filter(({ fresh: isFresh, end }) => isFresh || end === undefined);
  const old = all.filter((known) => !fresh.includes(known));
  const sample = Array.from({ length: Math.min(SAMPLE, old.length) }, () => random.pick(old));
  await verify(run.book, servers, [...new Set([...fresh, ...sample])]);
  await sendAgain(run.book, servers, random);
}

/** At the end of a run: everything once more, on one server. */
export async function lastRound(run: Run): Promise<readonly Known[]> {
  const all = [...run.book.known.values()];
  const servers = await startTogether(run, 1);
  await verify(run.book, servers, all);
  await end(run, servers, createRandom("last", run.seed), "quit");
  judge(run);
  return all;
}

function judge(run: Run): void {
  judgeFolder(run.book, run.folder);
  judgeRuns(run.book, run.runsPath);
  run.notes = judgeNotes(run.book, run.notesPath, run.notes);
}

function stepOf(way: string, random: Random): DeathPoint | undefined {
  const when = whenOf(random);
  if (way === "step") return { change: STEPS_OF_START + random.int(STEPS_OF_LOAD), since: "start", when };
  return way === "smaller" ? { change: 1 + random.int(STEPS_OF_SMALLER), since: "smaller", when } : undefined;
}

function whenOf(random: Random): DeathPoint["when"] {
  return random.pick(["before", "half", "after"] as const);
}

/** Killed while it takes over what there is, or just before. */
async function dieAtStart(run: Run, random: Random): Promise<void> {
  const byStep = random.int(2) === 0;
  const process = takeSpare(run);
  const opened = process.open(
    optionsFor(
      run,
      byStep ? { change: 1 + random.int(STEPS_OF_START), since: "start", when: whenOf(random) } : undefined,
    ),
  );
  await Promise.race([byStep ? opened : pause(random.int(START_MS)), process.gone]);
  await process.kill();
  count(run.book, "kills");
  count(run.book, "kills at start");
  complain(run, process);
}

/** Those that lived to listen. */
async function startTogether(
  run: Run,
  how: number,
  death?: DeathPoint,
  beside: readonly Server[] = [],
): Promise<Server[]> {
  const starting = Array.from({ length: how }, () => {
    const process = takeSpare(run);
    const options = optionsFor(run, death);
    return process.open(options).then((report) => ({ process, report, life: options.life }));
  });
  const servers: Server[] = [];
  for (const { process, report, life } of await Promise.all(starting)) {
    if (report === undefined) {
      complain(run, process);
      if (death === undefined) run.book.findings.push(`life ${life} did not start`);
      continue;
    }
    const server: Server = { life, process, client: createClient(report.port), over: false };
    const { known, mortal, unanswered } = run.book;
    for (const each of [...known.values(), ...mortal, ...unanswered]) {
      // What a server had that died before it told is with the only one that is left.
      if (how + beside.length === 1 || report.keys.includes(keyOf(each.life ?? 0))) each.life = life;
    }
    void process.gone.then(() => {
      server.over = true;
    });
    servers.push(server);
  }
  return servers;
}

function optionsFor(run: Run, death: DeathPoint | undefined): ServerOptions {
  const { book, folder, runsPath, notesPath } = run;
  run.lives += 1;
  return {
    ...{ life: run.lives, folder, runsPath, notesPath, port: 0, tokens: [...OWNERS, CROWD] },
    ...{ maxTasks: roomFor(book), segmentBytes: SEGMENT_BYTES },
    ...(death === undefined ? {} : { death }),
  };
}

/** The crowd has most tasks as soon as one has to go, and a tenth goes at once: no owner ever loses one. */
function roomFor({ asked }: Book): number {
  const coming = TASKS_PER_LIFE * 3;
  const counts = OWNERS.map((token) => (asked.get(token) ?? 0) + coming);
  const all = counts.reduce((sum, n) => sum + n, 0);
  return Math.ceil((all + Math.max(...counts)) / 0.9) + 20;
}

function takeSpare(run: Run): ServerProcess {
  const process = run.spare.shift() ?? startServerProcess();
  run.spare.push(startServerProcess());
  return process;
}

/** Until so many more tasks were acknowledged, a server is dead, or the time is over. */
async function loadOrDeath({ book }: Run, servers: readonly Server[], tasks: number): Promise<void> {
  const acknowledged = (): number => book.counts.get("acknowledged") ?? 0;
  const enough = acknowledged() + tasks;
  const endsAt = performance.now() + LOAD_MS;
  while (acknowledged() < enough && performance.now() < endsAt && servers.every(({ over }) => !over)) await pause(1);
}

async function end(run: Run, servers: readonly Server[], random: Random, how: "kill" | "quit"): Promise<void> {
  for (const server of servers) server.over = true;
  await Promise.all(
    servers.map(async ({ process, client }) => {
      if (how === "quit") await Promise.race([process.quit(), ...(random.int(2) === 0 ? [pause(random.int(60))] : [])]);
      await process.kill();
      client.close();
      count(run.book, how === "quit" ? "quits" : "kills");
      complain(run, process);
    }),
  );
}

function complain(run: Run, process: ServerProcess): void {
  const output = process.output();
  if (output !== "") run.book.findings.push(`a server wrote ${output}`);
}
