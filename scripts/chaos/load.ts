// Owns the load of the chaos run: callers that do one thing after the other until their server is gone.

import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../../test/hostile/support/random.ts";
import type { Kind } from "./agent.ts";
import type { Book, Known } from "./book.ts";
import {
  answer,
  type Caller,
  cancel,
  changeHook,
  get,
  listPage,
  newMessage,
  type Site,
  send,
  sendTwice,
  subscribe,
  trespass,
} from "./operations.ts";

/** Callers whose tasks are never let go. */
export const OWNERS: readonly string[] = Array.from({ length: 6 }, (_, n) => `owner-${n}`);
/** So many tasks that the oldest of this one are let go. */
export const CROWD = "crowd";
/** New tasks of each owner in one life. */
export const TASKS_PER_LIFE = 10;
/** Of all owners in one life: they hold slots. */
const HOLDS = 6;

const KINDS: readonly Kind[] = [
  "say",
  "say",
  "slow",
  "slow",
  "slow",
  "pieces",
  "pieces",
  "big",
  "ask",
  "ask",
  "hold",
  "fail",
  "direct",
];
const CROWD_KINDS: readonly Kind[] = ["say", "slow", "slow", "pieces", "pieces", "pieces", "big"];

interface Life {
  readonly book: Book;
  readonly site: Site;
  /** How many of each owner may still come. */
  readonly left: Map<string, number>;
  holds: number;
  /** Streams that nobody waits for before doing something else. */
  readonly aside: Promise<unknown>[];
}

/** Resolves when every caller has seen the end of its server. */
export async function putUnderLoad(
  book: Book,
  site: Site,
  seeded: (name: string) => Random,
  newNumber: () => number,
): Promise<void> {
  const life: Life = { book, site, left: new Map(OWNERS.map((token) => [token, TASKS_PER_LIFE])), holds: 0, aside: [] };
  const callerOf = (token: string, n: number, mortal: boolean): Caller => {
    return { book, site, token, random: seeded(`${token} ${n}`), newNumber, mortal };
  };
  const loops = OWNERS.flatMap((token) => [0, 1].map((n) => ownerLoop(life, callerOf(token, n, false), n === 0)));
  const crowd = [0, 1, 2, 3, 4].map((n) => crowdLoop(callerOf(CROWD, n, true)));
  await Promise.all([...loops, ...crowd]);
  await Promise.all(life.aside);
}

async function ownerLoop(life: Life, caller: Caller, withHooks: boolean): Promise<void> {
  while (!caller.site.over) {
    await ownerStep(life, caller, withHooks);
    // Without a pause a broken connection would be tried a thousand times before its server is known to be gone.
    await pause(caller.random.int(4));
  }
}

async function ownerStep(life: Life, caller: Caller, withHooks: boolean): Promise<void> {
  const { random, book, token, site } = caller;
  const left = life.left.get(token) ?? 0;
  if (left > 0 && random.int(2) === 0) {
    life.left.set(token, left - 1);
    return sendNew(life, caller);
  }
  const all = [...book.known.values()].filter((known) => known.token === token);
  const mine = all.filter(({ life }) => life === site.life);
  if (all.length === 0) return;
  // Every server of the folder answers for all of them; only webhooks are a matter of the one that has the task.
  const known = random.pick(all);
  const open = all.filter(({ end }) => end === undefined);
  switch (random.int(8)) {
    case 0:
      return listPage(caller);
    case 1:
      return trespass({ ...caller, token: random.pick([...OWNERS, CROWD].filter((other) => other !== token)) }, known);
    case 2:
      if (!withHooks) return subscribe(caller, known);
      return mine.length === 0 ? undefined : changeHook(caller, random.pick(mine));
    case 3:
    case 4:
      return goOn(caller, open);
    default:
      return get(caller, known);
  }
}

/** Answers a question, says something to a run that waits for it, or cancels. */
async function goOn(caller: Caller, open: readonly Known[]): Promise<void> {
  const asking = open.filter(({ asked, kind }) => asked || kind === "hold");
  if (asking.length > 0 && caller.random.int(3) > 0) return answer(caller, caller.random.pick(asking));
  if (open.length > 0) return cancel(caller, caller.random.pick(open));
}

async function sendNew(life: Life, caller: Caller): Promise<void> {
  const { random, book, token } = caller;
  let kind = random.pick(KINDS);
  if (kind === "hold" && ++life.holds > HOLDS) kind = "slow";
  if (kind === "hold" && random.int(2) === 0) return sendTwice(caller);
  const how = random.pick(
    kind === "hold" ? (["return", "return", "stream"] as const) : (["wait", "return", "stream"] as const),
  );
  // A run that holds its context holds up those that wait behind it.
  const mine = [...book.known.values()].filter((known) => known.token === token && known.kind !== "hold");
  const goesOn = kind !== "hold" && mine.length > 0 && random.int(3) === 0;
  const sent = send(caller, newMessage(caller, kind, goesOn ? random.pick(mine).contextId : undefined), how);
  if (kind === "hold") life.aside.push(sent);
  else await sent;
}

async function crowdLoop(caller: Caller): Promise<void> {
  const { random, book, site } = caller;
  while (!site.over) {
    await send(caller, newMessage(caller, random.pick(CROWD_KINDS)), random.pick(["wait", "return", "stream"]));
    const mine = book.mortal.filter(({ life }) => life === site.life);
    if (mine.length > 0 && random.int(4) === 0) await get(caller, random.pick(mine));
    await pause(random.int(2));
  }
}
