// Owns running a command of the operator for what it prints: the one place that starts processes. It runs without a terminal and
// in a process group of its own, bounded in time and output, and nothing that it started is left behind. What it prints is secret:
// it goes to the caller and into no message.

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import type { Clock } from "./clock.ts";
import { abortError } from "./http-errors.ts";

export interface CommandOptions {
  readonly cwd: string;
  /** Milliseconds until it is killed. */
  readonly timeoutMs: number;
  /** More output than this ends it. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** `failed` says why, to be read behind "the command"; it holds nothing of what the command printed. */
export type CommandOutcome =
  | { readonly kind: "printed"; readonly text: string }
  | { readonly kind: "failed"; readonly why: string };

export interface CommandPort {
  /** Throws only when the signal aborts, with its reason. */
  run(command: string, options: CommandOptions): Promise<CommandOutcome>;
  /** Kills what runs; later runs fail. */
  close(): void;
}

/** A process that has ended may leave others that hold its output open. */
const OUTPUT_GRACE_MS = 300;

export function createCommandPort(clock: Clock): CommandPort {
  const running = new Set<() => void>();
  let closed = false;
  return {
    run(command, options) {
      if (closed) return Promise.resolve({ kind: "failed", why: "was not started, as this session ends" });
      if (options.signal.aborted) return Promise.reject(abortError(options.signal));
      return new Promise((resolve, reject) => {
        const run = startRun(clock, command, options, {
          resolve: (outcome) => settle(() => resolve(outcome)),
          reject: (error) => settle(() => reject(error)),
        });
        const settle = (tell: () => void): void => {
          running.delete(run.kill);
          tell();
        };
        running.add(run.kill);
      });
    },
    close() {
      closed = true;
      for (const kill of [...running]) kill();
    },
  };
}

interface Settle {
  readonly resolve: (outcome: CommandOutcome) => void;
  readonly reject: (error: Error) => void;
}

function startRun(
  clock: Clock,
  command: string,
  options: CommandOptions,
  { resolve, reject }: Settle,
): { readonly kill: () => void } {
  const child = start(command, options.cwd);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let ended = false;
  const end = (tell: () => void): void => {
    if (ended) return;
    ended = true;
    timer.stop();
    grace?.stop();
    options.signal.removeEventListener("abort", onAbort);
    killGroup(child);
    // A process that left the group may hold the other end for ever.
    child.stdout?.destroy();
    tell();
  };
  const fail = (why: string): void => end(() => resolve({ kind: "failed", why }));
  const onAbort = (): void => end(() => reject(abortError(options.signal)));
  const done = (): void => end(() => resolve({ kind: "printed", text: Buffer.concat(chunks).toString("utf8") }));
  const timer = clock.after(options.timeoutMs, () => fail(`took longer than ${options.timeoutMs / 1000} s`));
  let grace: ReturnType<Clock["after"]> | undefined;
  options.signal.addEventListener("abort", onAbort, { once: true });
  child.stdout?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > options.maxBytes) fail(`printed more than ${options.maxBytes} bytes`);
    else chunks.push(chunk);
  });
  child.on("error", (fault) => fail(`could not be started (${codeOf(fault)})`));
  child.on("exit", (status, signal) => {
    if (status !== 0) return fail(status === null ? `was ended by ${signal}` : `ended with status ${status}`);
    grace = clock.after(OUTPUT_GRACE_MS, done);
  });
  child.on("close", done);
  return { kill: () => fail("was ended, as this session ends") };
}

/** Without a shell where the words say all that there is to say. */
function start(command: string, cwd: string): ChildProcess {
  const words = process.platform === "win32" ? undefined : plainWords(command);
  const [file = command, ...args] = words ?? [];
  // Its own group, so that its children end with it, and no terminal that it could draw on.
  const options: SpawnOptions = {
    cwd,
    detached: process.platform !== "win32",
    windowsHide: true,
    stdio: ["ignore", "pipe", "ignore"],
  };
  return words === undefined ? spawn(command, { ...options, shell: true }) : spawn(file, [...args], options);
}

/** The words of a command that needs no shell, quotation marks resolved; undefined when it needs one. */
export function plainWords(command: string): readonly string[] | undefined {
  if (!/^(?:[\w@%+:,./=-]|\s|'[^']*'|"[^"$`\\!]*")+$/.test(command)) return undefined;
  const words = command.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  const [first = ""] = words;
  // `NAME=value command` sets a variable.
  if (first === "" || first.includes("=")) return undefined;
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

function killGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === "win32") {
    if (child.exitCode === null)
      spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" }).on("error", () => child.kill());
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // The whole group has ended already.
    if (codeOf(error) !== "ESRCH") child.kill("SIGKILL");
  }
}

function codeOf(fault: unknown): string {
  return fault instanceof Error && "code" in fault && typeof fault.code === "string" ? fault.code : "unknown fault";
}
