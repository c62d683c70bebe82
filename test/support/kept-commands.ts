// The commands of ./kept-model.ts: single things that callers, runs, time and the system do, in words that a counterexample can be
// read in. Each may be followed by a few turns of the event loop, or by none.

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Message } from "../../src/core/protocol/types.ts";
import { userMessage } from "./builders.ts";
import { ALICE, BOB } from "./engine-rig.ts";
import { turn } from "./journal-rig.ts";
import {
  check,
  finish,
  hand,
  type Model,
  openKept,
  type Real,
  reply,
  restart,
  runsOf,
  type Sent,
  watch,
} from "./kept-model.ts";
import type { RunHandle } from "./scripted-runner.ts";

type Command = fc.AsyncCommand<Model, Real>;

const OUTPUTS: Readonly<Record<string, (run: RunHandle) => void>> = {
  working: (run) => run.working(),
  note: (run) => run.working("note"),
  whole: (run) => run.text("whole"),
  live: (run) => run.text("live", { provisional: true }),
  more: (run) => run.text(" more", { provisional: true, append: true }),
  tail: (run) => run.text(" tail", { append: true }),
  taken: (run) => {
    for (const letter of run.letters) letter.taken();
  },
  deaf: (run) => run.ignoreAbort(),
};
const ENDS = ["complete", "fail", "reject", "ask", "askLogin", "reply", "cancel", "throw"] as const;

const number = fc.nat({ max: 40 });
const caller = fc.constantFrom(ALICE, BOB);

function pick<T>(items: readonly T[], n: number): T | undefined {
  return items[n % Math.max(1, items.length)];
}

/** The newest are met most, so that commands have to do with each other. */
function pickLate<T>(items: readonly T[], n: number): T | undefined {
  return pick([...items].reverse(), Math.floor((n * n) / 41));
}

function command<T>(
  name: string,
  values: fc.Arbitrary<T>,
  act: (model: Model, real: Real, value: T) => void | Promise<void>,
): fc.Arbitrary<Command> {
  return fc.tuple(values, fc.constantFrom(0, 1, 3, 3)).map(([value, turns]) => ({
    check: () => true,
    async run(model, real) {
      await act(model, real, value);
      for (let passed = 0; passed < turns; passed++) await turn();
      check(model, real);
    },
    toString: () => `${name} ${JSON.stringify(value)}${turns === 0 ? "" : ` +${turns}`}`,
  }));
}

function sendNew(model: Model, real: Real, from: Pick<Sent, "caller" | "detached">, ids: Partial<Message>): void {
  const messageId = `m-${model.sent.length}`;
  const message = userMessage({ messageId, ...ids });
  const rest = {
    submitted: 0,
    taskIds: new Set<string>(),
    current: undefined,
    known: false,
    replied: undefined,
    deliveredIn: undefined,
  } as const;
  const sent: Sent = { ...from, message, ...rest, direct: false };
  model.sent.push(sent);
  hand(model, real, sent);
}

const submit = command(
  "submit",
  fc.record({ caller, detached: fc.boolean(), contextId: fc.constantFrom(undefined, "ctx-a", "ctx-b") }),
  (model, real, { contextId, ...from }) => sendNew(model, real, from, contextId === undefined ? {} : { contextId }),
);

/** An answer when the task asks, a steering message while it works. */
const say = command("say", fc.record({ n: number, detached: fc.boolean() }), (model, real, { n, detached }) => {
  const to = pickLate(model.sent, n);
  if (to?.current !== undefined) sendNew(model, real, { caller: to.caller, detached }, { taskId: to.current });
});

const followUp = command("follow up", number, (model, real, n) => {
  const earlier = pickLate(model.open, n);
  if (earlier === undefined) return;
  const { contextId } = earlier.submission;
  sendNew(model, real, { caller: earlier.sent.caller, detached: false }, { contextId });
});

const resend = command("resend", number, (model, real, n) => {
  const sent = pickLate(model.sent, n);
  if (sent !== undefined) hand(model, real, sent);
});

const resemble = command("resemble", number, (model, { server }, n) => {
  const sent = pickLate(model.sent, n);
  if (sent === undefined) return;
  const { message, detached } = sent;
  const stranger = sent.caller === ALICE ? BOB : ALICE;
  assert.equal(
    server.engine.resend({ caller: stranger, message, detached }),
    undefined,
    "a stranger was led to a task",
  );
  const other = { ...message, parts: [{ text: "another text" }] };
  assert.equal(server.engine.resend({ caller: sent.caller, message: other, detached }), undefined);
});

const replied = command(
  "response",
  fc.record({
    n: number,
    how: fc.constantFrom("reply", "reply", "stream", "lost") as fc.Arbitrary<"reply" | "stream" | "lost">,
  }),
  (model, real, { n, how }) => reply(model, real, n % Math.max(1, model.open.length), how),
);

const event = command(
  "event",
  fc.record({ n: number, what: fc.constantFrom(...Object.keys(OUTPUTS)) }),
  (_model, real, { n, what }) => {
    const run = pickLate(runsOf(real), n);
    if (run !== undefined) OUTPUTS[what]?.(run);
  },
);

/** Also of runs that are over, or whose server is: late results. */
const outcome = command(
  "outcome",
  fc.record({ n: number, end: fc.constantFrom(...ENDS) }),
  (_model, real, { n, end }) => {
    const run = pickLate(runsOf(real), n);
    if (run === undefined) return;
    if (end === "reply") real.unseen.add(run.request.taskId);
    run[end]("because");
  },
);

const cancel = command("cancel", number, (model, real, n) => {
  const sent = pickLate(model.sent, n);
  if (sent?.current !== undefined) watch(real, real.server.engine.cancel(sent.caller, sent.current));
});

const time = command("time", fc.constantFrom(1, 500, 2_000, 10_000, 60_000), (_model, real, ms) =>
  real.house.clock.tick(ms),
);
const again = command("restart", fc.constantFrom("kill", "quit"), (model, real, how) => restart(model, real, how));

const COMMANDS = [
  ...[submit, submit, submit, event, event, event, event, outcome, outcome, outcome],
  ...[say, say, followUp, resend, resend, resend, resemble, replied, replied, replied, cancel, time, again],
];

/**
 * Plays so many stories, fewer when they take longer than the limit; rejects with the shortest one it has found in which something does
 * not hold.
 */
export async function playKept(numRuns: number, limitMs: number): Promise<void> {
  const stories = fc.commands(COMMANDS, { maxCommands: 60, size: "max" });
  const play = async (story: Iterable<Command>): Promise<void> => {
    const { model, real } = await openKept();
    try {
      await fc.asyncModelRun(() => ({ model, real }), story);
      await finish(model, real);
    } finally {
      await real.house.remove();
    }
  };
  await fc.assert(fc.asyncProperty(stories, play), { numRuns, interruptAfterTimeLimit: limitMs });
}
