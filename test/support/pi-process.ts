// One real Pi in RPC mode: JSON lines over stdin and stdout. Waits by events with deadlines, never by time.
// Works with any Pi line: which one runs is said by `host`.

import { type ChildProcess, spawn } from "node:child_process";
import { createEventLog, DEADLINE_MS, type EventLog, type WaitOptions } from "./e2e-event-log.ts";
import { type Answer, decodeEvent, isDialog, isUi, type PiEvent, readAnswer, readStatuses } from "./e2e-pi-events.ts";

/** A Pi installation. */
export interface PiHost {
  readonly node: string;
  readonly cli: string;
}

export interface PiStart {
  readonly host: PiHost;
  /** Arguments after `--mode rpc`. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Answers the dialogs of extensions; without it, or with undefined, they are cancelled. */
  readonly answer?: (dialog: PiEvent) => { value: string } | { confirmed: boolean } | undefined;
  readonly onEvent?: (event: PiEvent) => void;
  /** Until its first answer; default twice the deadline of everything else. */
  readonly deadlineMs?: number;
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly elapsedMs: number;
}

export interface PiProcess {
  readonly pid: number;
  readonly events: EventLog<PiEvent>;
  stderr(): string;
  /** Sends an RPC command; its response's data. Throws when Pi says that it failed. */
  request(type: string, fields?: object, options?: WaitOptions): Promise<unknown>;
  /** Sends a prompt and waits until Pi has settled. */
  prompt(text: string, options?: WaitOptions): Promise<Answer>;
  /** Sends a prompt that runs on its own; `finished()` waits until Pi has settled. */
  start(text: string): Promise<{ finished(options?: WaitOptions): Promise<Answer> }>;
  /** Runs a slash command to its end; the texts it notified meanwhile. */
  command(line: string, options?: WaitOptions): Promise<string[]>;
  /** The next notification at or after `from` that matches. */
  notification(match: RegExp, options?: WaitOptions): Promise<string>;
  notifications(from?: number): string[];
  /** What the footer shows for each key now. */
  statuses(): Record<string, string>;
  /** What Esc does in the terminal. Resolves when Pi is idle again. */
  abort(): Promise<void>;
  newSession(): Promise<void>;
  /** Ends stdin, as quitting does, and waits for the exit. */
  stop(deadlineMs?: number): Promise<Exit>;
  /** kill -9, when it is still there. */
  kill(): Promise<Exit>;
}

/** Starts Pi and waits until it answers. Throws with its stderr when it does not come up. */
export async function startPi(start: PiStart): Promise<PiProcess> {
  const { host, args, cwd, env, onEvent, answer, deadlineMs = 2 * DEADLINE_MS } = start;
  const child = spawn(host.node, [host.cli, "--mode", "rpc", ...args], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    // Ctrl-C is for us alone: Pi quits in good order when its stdin ends, also when we die.
    detached: process.platform !== "win32",
  });
  let stderr = "";
  const events = createEventLog<PiEvent>(() => (stderr === "" ? "" : `stderr: ${stderr.slice(-2_000)}`));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // A write after Pi has gone is reported by the wait that follows it.
  child.stdin.on("error", (error) => events.close(`Pi's stdin is gone (${error.message})`));
  const send = (line: object): boolean => child.stdin.write(`${JSON.stringify(line)}\n`);
  readLines(child, (event) => {
    if (isDialog(event))
      send({ type: "extension_ui_response", id: event.id, ...(answer?.(event) ?? { cancelled: true }) });
    events.push(event);
    onEvent?.(event);
  });
  const exited = watchExit(child, events);
  const pi = createClient(child, events, send, exited, () => stderr);
  try {
    await pi.request("get_state", {}, { deadlineMs });
  } catch (error) {
    await pi.kill();
    throw error;
  }
  return pi;
}

function createClient(
  child: ChildProcess,
  events: EventLog<PiEvent>,
  send: (line: object) => boolean,
  exited: Promise<Omit<Exit, "elapsedMs">>,
  stderr: () => string,
): PiProcess {
  let requests = 0;
  const request: PiProcess["request"] = async (type, fields = {}, options = {}) => {
    requests += 1;
    const id = `r${requests}`;
    const response = events.next(`the response to ${type}`, (e) => e.type === "response" && e.id === id, options);
    send({ id, type, ...fields });
    const { success, error, data } = await response;
    if (success !== true) throw new Error(`${type} failed: ${String(error)}`);
    return data;
  };
  const start: PiProcess["start"] = async (text) => {
    const from = events.all.length;
    await request("prompt", { message: text });
    return {
      async finished(options = {}) {
        await untilSettled(events, request, { ...options, from });
        return readAnswer(events.all.slice(from));
      },
    };
  };
  const notifications = (from = 0): string[] =>
    events.all.slice(from).flatMap((e) => (isUi(e, "notify") ? [String(e.message)] : []));
  const exit = async (deadlineMs: number): Promise<Exit> => {
    const began = performance.now();
    const timer = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
    const how = await exited;
    clearTimeout(timer);
    return { ...how, elapsedMs: performance.now() - began };
  };
  return {
    pid: child.pid ?? -1,
    events,
    stderr,
    request,
    start,
    prompt: async (text, options) => (await start(text)).finished(options),
    async command(line, options) {
      const from = events.all.length;
      await request("prompt", { message: line }, options);
      return notifications(from);
    },
    async notification(match, options) {
      const matches = (e: PiEvent): boolean => isUi(e, "notify") && match.test(String(e.message));
      return String((await events.next(`a notification like ${match}`, matches, options)).message);
    },
    notifications,
    statuses: () => readStatuses(events.all),
    async abort() {
      await request("abort");
    },
    async newSession() {
      await request("new_session");
    },
    async stop(deadlineMs = 10_000) {
      child.stdin?.end();
      const how = await exit(deadlineMs);
      if (how.signal === "SIGKILL") throw new Error(`Pi did not exit within ${deadlineMs} ms; stderr: ${stderr()}`);
      return how;
    },
    async kill() {
      child.kill("SIGKILL");
      return exit(DEADLINE_MS);
    },
  };
}

/** Waits for the end of the run, and of whatever Pi starts after it by itself (retry, compaction, queued messages). */
async function untilSettled(
  events: EventLog<PiEvent>,
  request: PiProcess["request"],
  { from = 0, ...options }: WaitOptions,
): Promise<void> {
  const end = await events.next("the end of the run", (e) => e.type === "agent_end", { ...options, from });
  // By the time of this response Pi has written what follows at once.
  await request("get_state", {}, options);
  const after = events.all.indexOf(end) + 1;
  const more = events.all.slice(after).find((e) => MORE_TO_COME.has(e.type));
  if (more === undefined) return;
  if (more.type !== "compaction_start") return untilSettled(events, request, { ...options, from: after });
  const done = await events.next("the compaction", (e) => e.type === "compaction_end", { ...options, from: after });
  if (done.willRetry === true) await untilSettled(events, request, { ...options, from: events.all.indexOf(done) + 1 });
}

const MORE_TO_COME = new Set(["auto_retry_start", "agent_start", "compaction_start"]);

function readLines(child: ChildProcess, onEvent: (event: PiEvent) => void): void {
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") onEvent(decodeEvent(line));
  });
}

function watchExit(child: ChildProcess, events: EventLog<PiEvent>): Promise<Omit<Exit, "elapsedMs">> {
  return new Promise((resolve) => {
    child.once("error", (error) => {
      events.close(`Pi could not be started (${error.message})`);
      resolve({ code: null, signal: null });
    });
    child.once("close", (code, signal) => {
      events.close(`Pi exited (code ${code}, signal ${signal})`);
      resolve({ code, signal });
    });
  });
}
