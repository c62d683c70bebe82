// Owns what clients do in the chaos run, one call each: what comes back is taken into the book, and what may never come back is a finding.

import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../../test/hostile/support/random.ts";
import type { Body, WireTask } from "../../test/support/a2a-calls.ts";
import type { Kind } from "./agent.ts";
import {
  acknowledge,
  type Book,
  count,
  hear,
  hearEvent,
  isTerminalState,
  type Known,
  type Message,
  shown,
  stateOf,
} from "./book.ts";
import type { Answer, Client } from "./client.ts";

/** A server, as its clients have it. */
export interface Site {
  readonly life: number;
  readonly client: Client;
  /** It was told to end, or is gone: what breaks from now on is no wonder. */
  over: boolean;
}

export interface Caller {
  readonly book: Book;
  readonly site: Site;
  readonly token: string;
  readonly random: Random;
  readonly newNumber: () => number;
  /** Its tasks may be let go. */
  readonly mortal: boolean;
}

const BUSY = -32053;
const NOT_FOUND = -32001;
const NOT_CANCELABLE = -32002;
const UNSUPPORTED = -32004;
const MOST_TRIES = 100;

export function newMessage({ token, newNumber }: Caller, kind: Kind, contextId?: string): Message {
  const n = newNumber();
  return { token, messageId: `m-${n}`, text: `${kind} ${n}`, contextId };
}

/** The signal cuts the connection. */
export async function send(caller: Caller, message: Message, how: "wait" | "return" | "stream", cut?: AbortSignal) {
  const { asked } = caller.book;
  message.life = caller.site.life;
  asked.set(message.token, (asked.get(message.token) ?? 0) + 1);
  const params = paramsOf(message, { contextId: message.contextId }, how === "return");
  if (how === "stream") return sendStream(caller, message, params);
  const answer = await caller.site.client.call(message.token, "SendMessage", params, cut);
  if (answer === undefined) return cut === undefined && void caller.book.unanswered.push(message);
  const result = resultOf(caller, "SendMessage", answer, [BUSY]);
  if (result?.task !== undefined) return takeNew(caller, message, result.task, how);
  if (result?.message === undefined) return;
  count(caller.book, "direct replies");
  if (result.message.parts[0]?.text !== message.text)
    caller.book.findings.push(`another direct reply: ${shown(result)}`);
}

/** A message whose reply nobody waited for leads to its task when it comes again: it runs once. */
export async function sendTwice(caller: Caller): Promise<void> {
  const message = newMessage(caller, "hold");
  const cut = new AbortController();
  const first = send(caller, message, "wait", cut.signal);
  await pause(caller.random.int(10));
  cut.abort();
  await first;
  count(caller.book, "sent again after a cut");
  await send(caller, message, "return");
}

function takeNew(
  caller: Caller,
  message: Message,
  task: NonNullable<Body["result"]>["task"] & object,
  how: string,
): void {
  const { book, site, mortal } = caller;
  const known = acknowledge(book, task, message, site.life, mortal);
  hear(book, known, task, site);
  if (how === "wait" && known.end === undefined && !known.asked)
    book.findings.push(`${known.id}: answered too early: ${shown(task)}`);
}

async function sendStream(caller: Caller, message: Message, params: object): Promise<void> {
  const { book, site, mortal } = caller;
  const order = createOrder(book);
  let known: Known | undefined;
  const whole = await site.client.stream(message.token, "SendStreamingMessage", params, (event) => {
    if (event.error !== undefined) return checkError(caller, "SendStreamingMessage", event, [BUSY]);
    order.next(event);
    const task = event.result?.task;
    if (known === undefined && task !== undefined) known = acknowledge(book, task, message, site.life, mortal);
    if (known !== undefined && task !== undefined) hear(book, known, task, site);
    if (known !== undefined) hearEvent(book, known, site.life, event);
  });
  // What asks may be answered by others, and then the message has led to its question.
  if (!whole && known?.kind !== "ask") {
    if (known !== undefined) message.taskId = known.id;
    book.unanswered.push(message);
  }
  if (whole && known !== undefined && !order.over() && !known.asked && !site.over) {
    book.findings.push(`${known.id}: its stream ended before it`);
  }
}

/** A stream begins with the task, or is a message; nothing comes after the status that ends it. */
function createOrder(book: Book) {
  let first = true;
  let over = false;
  return {
    over: () => over,
    next(event: Body): void {
      const { task, message, statusUpdate } = event.result ?? {};
      if (over) book.findings.push(`after the end of a stream came ${shown(event)}`);
      if (first && task === undefined && message === undefined)
        book.findings.push(`a stream began with ${shown(event)}`);
      first = false;
      const state = statusUpdate === undefined ? "" : stateOf(statusUpdate);
      over = isTerminalState(state) || message !== undefined;
    },
  };
}

export async function answer(caller: Caller, known: Known): Promise<void> {
  const message = newMessage(caller, "answer");
  known.answers.push(message.text);
  known.fresh = true;
  const params = paramsOf(message, { taskId: known.id }, caller.random.int(2) === 0);
  // A reply that does not wait for the end may be overtaken by one that does.
  const before = { ...known, whole: new Map(known.whole) };
  const result = await ask(caller, "SendMessage", params, [BUSY, UNSUPPORTED]);
  before.cancelTried = known.cancelTried;
  if (result?.task !== undefined) hear(caller.book, known, result.task, caller.site, before);
}

export async function cancel(caller: Caller, known: Known): Promise<void> {
  known.cancelTried = true;
  known.fresh = true;
  const result = await ask(caller, "CancelTask", { id: known.id }, [NOT_CANCELABLE, BUSY]);
  if (result?.status !== undefined) hear(caller.book, known, result as WireTask, caller.site);
}

export async function get(caller: Caller, known: Known): Promise<void> {
  const before = { ...known, whole: new Map(known.whole) };
  for (let tries = 1; ; tries++) {
    const result = await ask(caller, "GetTask", { id: known.id }, caller.mortal ? [NOT_FOUND] : []);
    if (result?.status === undefined) return;
    const task = result as WireTask;
    before.cancelTried = known.cancelTried;
    // What is on disk is read by others a moment before the server that wrote it says it.
    const behind = endedElsewhere(before, caller.site) && !isTerminalState(stateOf(task));
    if (behind) count(caller.book, "behind another server");
    if (!behind || tries === MOST_TRIES) return hear(caller.book, known, task, caller.site, before);
    await pause(tries);
  }
}

function endedElsewhere({ end }: Known, { life }: Site): boolean {
  return end !== undefined && end.life !== life;
}

export async function subscribe(caller: Caller, known: Known): Promise<void> {
  const { book, site } = caller;
  const ended = known.end !== undefined && !endedElsewhere(known, site);
  const order = createOrder(book);
  await site.client.stream(caller.token, "SubscribeToTask", { id: known.id }, (event) => {
    if (event.error !== undefined) return checkError(caller, "SubscribeToTask", event, [BUSY, UNSUPPORTED]);
    if (ended) book.findings.push(`${known.id} has ended and is followed: ${shown(event)}`);
    order.next(event);
    hearEvent(book, known, site.life, event);
  });
}

export async function listPage({ book, ...caller }: Caller): Promise<void> {
  const result = await ask({ book, ...caller }, "ListTasks", { pageSize: 20 }, []);
  const { tasks = [] } = (result ?? {}) as { tasks?: { id: string }[] };
  for (const { id } of tasks) {
    const { token } = book.known.get(id) ?? caller;
    if (token !== caller.token) book.findings.push(`${id} of ${token} is listed for ${caller.token}`);
  }
}

/** Another caller sees nothing, and changes nothing. */
export async function trespass(caller: Caller, known: Known): Promise<void> {
  const { book, random, site } = caller;
  const method = random.pick(["GetTask", "CancelTask", "SubscribeToTask", "SendMessage"]);
  const params =
    method === "SendMessage" ? paramsOf(newMessage(caller, "answer"), { taskId: known.id }, true) : { id: known.id };
  const reply = await site.client.call(caller.token, method, params);
  if (reply !== undefined && reply.body.error?.code !== NOT_FOUND && reply.status !== 503) {
    book.findings.push(`${method} for ${known.id} of ${known.token} gave ${caller.token} ${shown(reply)}`);
  }
}

export async function changeHook(caller: Caller, known: Known): Promise<void> {
  const id = `hook-${caller.random.int(3)}`;
  const remove = caller.random.int(3) === 0;
  const config = { taskId: known.id, id };
  known.hooks.set(id, "unsure");
  known.fresh = true;
  const result = remove
    ? await ask(caller, "DeleteTaskPushNotificationConfig", config, [])
    : await ask(caller, "CreateTaskPushNotificationConfig", { ...config, url: "https://hooks.example.com/" }, [BUSY]);
  if (result !== undefined) known.hooks.set(id, remove ? "gone" : "set");
}

/** The result, or undefined for a break, and for an error, which is a finding unless it is one of `expected`. */
async function ask(caller: Caller, method: string, params: object, expected: readonly number[]) {
  const reply = await caller.site.client.call(caller.token, method, params);
  return reply === undefined ? undefined : resultOf(caller, method, reply, expected);
}

function resultOf(
  caller: Caller,
  method: string,
  { status, body }: Answer,
  expected: readonly number[],
): Body["result"] {
  if (status >= 500 && status !== 503) caller.book.findings.push(`${method}: HTTP ${status} ${shown(body)}`);
  if (body.error !== undefined) checkError(caller, method, body, expected);
  return body.result;
}

function checkError({ book, site }: Caller, method: string, { error }: Body, expected: readonly number[]): void {
  const code = error?.code ?? 0;
  count(book, code === BUSY ? "busy" : `error ${code}`);
  if (!expected.includes(code) && !(code === BUSY && site.over)) book.findings.push(`${method}: ${shown(error)}`);
}

function paramsOf({ messageId, text }: Message, fields: object, returnImmediately: boolean): object {
  const message = { messageId, role: "ROLE_USER", parts: [{ text }], ...fields };
  return returnImmediately ? { message, configuration: { returnImmediately } } : { message };
}
