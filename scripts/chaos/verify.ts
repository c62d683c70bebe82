// Owns what is asked of servers after a restart: every task that was acknowledged answers, to its owner only, with what can be true.

import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../../test/hostile/support/random.ts";
import type { WireTask } from "../../test/support/a2a-calls.ts";
import { type Book, count, hear, type Known, shown } from "./book.ts";
import type { Answer } from "./client.ts";
import { CROWD, OWNERS } from "./load.ts";
import { type Caller, type Site, send } from "./operations.ts";

const NOT_FOUND = -32001;
const AT_ONCE = 16;
const TRIES = 100;

/** Asks all of `sites`: one has each task, and none says anything else. */
export async function verify(book: Book, sites: readonly Site[], tasks: readonly Known[]): Promise<void> {
  await atOnce(tasks, (known) => verifyTask(book, sites, known));
  await atOnce([...book.mortal], (known) => verifyMortal(book, sites, known));
  await atOnce(OWNERS, (token) => verifyList(book, sites, token));
}

/** Messages that nobody answered before, sent again: each is answered, and runs once if its task is at one of `sites`. */
export async function sendAgain(book: Book, sites: readonly Site[], random: Random): Promise<void> {
  const { unanswered } = book;
  book.unanswered = [];
  const again = unanswered.filter(({ token, text }) => token !== CROWD && !text.startsWith("answer"));
  await atOnce(again, async (message) => {
    const home = sites.find(({ life }) => life === message.life);
    const site = home ?? sites[0];
    if (site === undefined) return;
    if (home === undefined) {
      // There it is new work.
      delete message.taskId;
      book.once.delete(message.messageId);
    } else book.once.add(message.messageId);
    const caller: Caller = { book, site, token: message.token, random, newNumber: () => 0, mortal: false };
    count(book, home === undefined ? "sent again elsewhere" : "sent again");
    // A run that waits for its caller would be waited for.
    await send(caller, message, message.text.startsWith("hold") ? "return" : random.pick(["wait", "return", "stream"]));
  });
}

async function verifyTask(book: Book, sites: readonly Site[], known: Known): Promise<void> {
  const answers = await askAll(book, sites, known.token, "GetTask", { id: known.id });
  const has = answers.filter(({ reply }) => reply.body.error?.code !== NOT_FOUND);
  if (sites.some(({ over }) => over)) return;
  if (has.length === 0) book.findings.push(`${known.id} (${known.text}, life ${known.life}) is lost`);
  for (const { site, reply } of has) {
    if (reply.body.result?.status === undefined) book.findings.push(`GetTask ${known.id}: ${shown(reply)}`);
    else hear(book, known, reply.body.result as WireTask, { life: site.life, restarted: true });
  }
  await verifyHooks(book, sites, known);
  known.fresh = false;
  const stranger = OWNERS.find((token) => token !== known.token) ?? CROWD;
  for (const { reply } of await askAll(book, sites, stranger, "GetTask", { id: known.id })) {
    if (reply.body.error?.code !== NOT_FOUND)
      book.findings.push(`${stranger} sees ${known.id} of ${known.token}: ${shown(reply)}`);
  }
}

/** Only the server that has the task knows its webhooks. */
async function verifyHooks(book: Book, sites: readonly Site[], known: Known): Promise<void> {
  for (const [id, hook] of known.hooks) {
    const params = { taskId: known.id, id };
    const answers = await askAll(book, sites, known.token, "GetTaskPushNotificationConfig", params);
    if (sites.some(({ over }) => over)) return;
    const found = answers.some(({ reply }) => reply.body.result !== undefined);
    if (hook !== "unsure" && found !== (hook === "set")) {
      book.findings.push(`${id} of ${known.id} was ${hook}: ${shown(answers.map(({ reply }) => reply))}`);
    }
    known.hooks.set(id, found ? "set" : "gone");
  }
}

async function verifyMortal(book: Book, sites: readonly Site[], known: Known): Promise<void> {
  for (const { site, reply } of await askAll(book, sites, known.token, "GetTask", { id: known.id })) {
    if (reply.body.error?.code === NOT_FOUND) continue;
    if (reply.body.result?.status === undefined) book.findings.push(`GetTask ${known.id}: ${shown(reply)}`);
    else hear(book, known, reply.body.result as WireTask, { life: site.life, restarted: true });
  }
}

/** Every task of the owner is listed by the server that has it. */
async function verifyList(book: Book, sites: readonly Site[], token: string): Promise<void> {
  const listed = new Set<string>();
  for (const site of sites) for (const id of await listAll(book, site, token)) listed.add(id);
  if (sites.some(({ over }) => over)) return;
  for (const id of listed) {
    const owner = book.known.get(id)?.token ?? token;
    if (owner !== token) book.findings.push(`${id} of ${owner} is listed for ${token}`);
  }
  const missing = [...book.known.values()].filter((known) => known.token === token && !listed.has(known.id));
  if (missing.length > 0) book.findings.push(`not listed for ${token}: ${missing.map(({ id }) => id).join(", ")}`);
}

async function listAll(book: Book, site: Site, token: string): Promise<readonly string[]> {
  const ids: string[] = [];
  let pageToken = "";
  do {
    const params = { pageSize: 100, ...(pageToken && { pageToken }) };
    const [answer] = await askAll(book, [site], token, "ListTasks", params);
    const page = (answer?.reply.body.result ?? {}) as { tasks?: { id: string }[]; nextPageToken?: string };
    ids.push(...(page.tasks ?? []).map(({ id }) => id));
    pageToken = page.nextPageToken ?? "";
  } while (pageToken !== "");
  return ids;
}

interface Told {
  readonly site: Site;
  readonly reply: Answer;
}

/** A server that nobody kills answers; that a connection broke once is a matter of its idle time. One that died meanwhile does not. */
async function askAll(
  book: Book,
  sites: readonly Site[],
  token: string,
  method: string,
  params: object,
): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (const site of sites) {
    let reply: Answer | undefined;
    for (let n = 0; n < TRIES && reply === undefined && !site.over; n++) {
      if (n > 0) await pause(n);
      reply = await site.client.call(token, method, params);
    }
    if (reply !== undefined) told.push({ site, reply });
    else if (!site.over) book.findings.push(`life ${site.life} did not answer ${method}`);
  }
  return told;
}

async function atOnce<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const work = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
