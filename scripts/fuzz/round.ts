// Owns one round: new processes, bad inputs for a while, then a look at what they hold. What must not be is told as it is found.

import { setTimeout as pause } from "node:timers/promises";
import type { ProcessState } from "../../test/hostile/support/measured-child.ts";
import { createRandom } from "../../test/hostile/support/random.ts";
import { type Case, type Kind, type Outcome, shownBytes } from "./case.ts";
import { startUnderTest, type UnderTest } from "./under-test.ts";

export const KINDS: readonly Kind[] = [
  "http",
  "json-rpc",
  "card",
  "reply",
  "stream",
  "head",
  "settings",
  "repository",
  "env file",
];
/** In turn; the server has the most ways in. */
const TURNS: readonly Kind[] = [...KINDS, "http", "json-rpc", "json-rpc"];
/** Numbers of the cases of one round begin here, times the round's own. */
const CASES_PER_ROUND = 1_000_000;
const AT_ONCE = 12;
const MOST_MS = 1000;
/** A machine that is busy makes any exchange late: only one that is late each time is too slow. */
const TRIES = 3;
/** Until code is compiled and stores are full, memory grows. On a slow machine that has to do in a part of the round. */
const WARM_UP_CASES = 2000;
const WARM_UP_SHARE = 0.4;
const QUIET_MS = 8000;
/** Compiled code and bounded stores move by about this. */
const HEAP_MARGIN = 6 * 1024 * 1024;

export interface Tally {
  readonly counts: Map<string, number>;
  readonly findings: string[];
}

/** Odd rounds have a server that wants tokens. The time counts from when all processes are there. */
export async function runRound(seed: number, round: number, ms: number, tally: Tally): Promise<void> {
  const test = await startUnderTest(seed, round % 2 === 1);
  const endsAt = performance.now() + ms;
  let next = round * CASES_PER_ROUND;
  const until = async (goesOn: () => boolean): Promise<void> => {
    const work = async (): Promise<void> => {
      while (goesOn()) await runOne(test, seed, next++, tally);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };
  try {
    const warmEndsAt = endsAt - (1 - WARM_UP_SHARE) * ms;
    const warmUntil = next + WARM_UP_CASES;
    await until(() => next < warmUntil && performance.now() < warmEndsAt);
    const before = await quietState(test);
    await until(() => performance.now() < endsAt);
    for (const complaint of await lastingComplaints(test, before)) {
      tally.findings.push(`round ${round} of seed ${seed}: ${complaint}`);
    }
    await test.end();
  } catch (error) {
    tally.findings.push(`round ${round} of seed ${seed}, about case ${next}: ${String(error)}`);
  }
}

/** Runs one case some times, for whoever looks for its fault. */
export async function repeatCase(seed: number, number: number, tally: Tally): Promise<void> {
  const test = await startUnderTest(seed, Math.floor(number / CASES_PER_ROUND) % 2 === 1);
  for (let time = 0; time < TRIES; time++) await runOne(test, seed, number, tally);
  await test.end();
}

function caseOf(seed: number, number: number): Case {
  const kind = TURNS[number % TURNS.length] ?? "http";
  return { number, kind, random: createRandom(`case ${number}`, seed) };
}

async function runOne(test: UnderTest, seed: number, number: number, { counts, findings }: Tally): Promise<void> {
  const one = caseOf(seed, number);
  let outcome = await test.run(one);
  for (let again = 1; again < TRIES && outcome.ms > MOST_MS; again++) outcome = await test.run(caseOf(seed, number));
  const label = `${one.kind}: ${outcome.end}`;
  counts.set(label, (counts.get(label) ?? 0) + 1);
  const wrong = outcome.ms > MOST_MS ? `${Math.round(outcome.ms)} ms, ${outcome.wrong}` : outcome.wrong;
  if (wrong !== "") findings.push(findingText(seed, one, wrong, outcome));
}

function findingText(seed: number, { number, kind }: Case, wrong: string, { input }: Outcome): string {
  const again = `npm run fuzz -- --seed ${seed} --case ${number}`;
  return `${kind}: ${wrong}\n  again: ${again}\n  input:\n${shownBytes(input)}`;
}

type States = Awaited<ReturnType<UnderTest["state"]>>;

/** The states once the server has nothing at work, or after a while. */
async function quietState(test: UnderTest): Promise<States> {
  const end = performance.now() + QUIET_MS;
  for (;;) {
    const states = await test.state();
    const { connections = 0, running = 0 } = states.server ?? {};
    if (connections + running === 0 || performance.now() > end) return states;
    await pause(100);
  }
}

/** What does not pass by itself. */
async function lastingComplaints(test: UnderTest, before: States): Promise<readonly string[]> {
  const end = performance.now() + QUIET_MS;
  for (;;) {
    const complaints = complaintsAbout(before, await test.state());
    if (complaints.length === 0 || performance.now() > end) return complaints;
    await pause(100);
  }
}

function complaintsAbout(before: States, after: States): readonly string[] {
  return Object.entries(after).flatMap(([name, now]) => {
    const { connections = 0, running = 0, faults = [] } = now;
    return [
      ...grown(before[name], now),
      ...(connections === 0 ? [] : [`${connections} connections are open`]),
      ...(running === 0 ? [] : [`${running} tasks are at work`]),
      ...faults,
      ...now.warnings,
    ].map((text) => `${name}: ${text}`);
  });
}

function grown(before: ProcessState | undefined, now: ProcessState): readonly string[] {
  if (before === undefined) return [];
  const heap = now.heapBytes - before.heapBytes;
  const more = Object.entries(now.resources).filter(([kind, count]) => count > (before.resources[kind] ?? 0));
  return [
    ...(heap > HEAP_MARGIN ? [`${heap} bytes more heap than after the warm-up`] : []),
    ...(now.descriptors > before.descriptors ? [`${now.descriptors - before.descriptors} more descriptors`] : []),
    ...more.map(([kind, count]) => `${count} x ${kind}, before ${before.resources[kind] ?? 0}`),
  ];
}
