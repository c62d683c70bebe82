// Child programs that talk by lines on their standard output; every one is ended before the run ends.

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface Program {
  /** What the first line says that matches `readyLine`; rejects when the program ends before. */
  readonly ready: Promise<string>;
  /** Resolves with the exit code when all output is read. */
  readonly ended: Promise<number | null>;
  /** The last lines of the standard error. */
  complaints(): string;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly onLine?: (line: string) => void;
  /** Its first group is told; `ready: <it>` unless given. */
  readonly readyLine?: RegExp;
  /** On top of our own environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const KEPT_LINES = 12;
const STOP_MS = 3_000;

export function startProgram(
  command: string,
  args: readonly string[],
  { onLine = () => undefined, readyLine = /^ready: (.*)$/, env = {}, cwd }: ProgramOptions = {},
): Program {
  // A program that sees its standard input end knows that nobody waits for it any more.
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"], env: { ...environment(), ...env }, cwd });
  const complaints: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    complaints.push(line);
    if (complaints.length > KEPT_LINES) complaints.shift();
  });
  const ended = endOf(child, complaints);
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const told = readyLine.exec(line)?.[1];
      if (told !== undefined) resolve(told);
      onLine(line);
    });
    void ended.then((code) => reject(new Error(`${args[0]} ended with ${code}: ${complaints.join("\n")}`)));
  });
  // Programs that only run to their end are never asked.
  ready.catch(() => undefined);
  return {
    ready,
    ended,
    complaints: () => complaints.join("\n"),
    async stop() {
      child.stdin.end();
      child.kill("SIGTERM");
      const killer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await ended;
      clearTimeout(killer);
    },
  };
}

/** All of ours, so that proxies and certificates hold; but what runs on this machine is called without a proxy. */
function environment(): NodeJS.ProcessEnv {
  const direct = [process.env.NO_PROXY ?? process.env.no_proxy, "127.0.0.1", "localhost"].filter(Boolean).join(",");
  return { ...process.env, NO_PROXY: direct, no_proxy: direct };
}

function endOf(child: ChildProcess, complaints: string[]): Promise<number | null> {
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  return new Promise((resolve) => {
    child.once("error", (error) => {
      complaints.push(error.message);
      resolve(null);
    });
    child.once("close", (code) => {
      process.off("exit", kill);
      resolve(code);
    });
  });
}
