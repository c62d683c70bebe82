// `npm run sut` as a process of its own, as the suite meets it: started with flags, ready by a line, ended by a signal.

import { type ChildProcess, spawn } from "node:child_process";
import { createEventLog } from "./e2e-event-log.ts";

export interface SutProcess {
  readonly port: number;
  /** Sends the signal and resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface SutRun {
  readonly code: number | null;
  readonly output: string;
}

const DIRECT = [process.execPath, "--import", "tsx", "scripts/sut/run.ts"];
const BY_NPM = ["npm", "run", "--silent", "sut", "--"];

/** Resolves with the ready line's port; rejects with the output when the process ends before. */
export async function startSutProcess(
  flags: readonly string[],
  how: { readonly npm?: boolean } = {},
): Promise<SutProcess> {
  const lines = createEventLog<string>();
  const child = launch(how.npm === true ? BY_NPM : DIRECT, flags, (line) => lines.push(line));
  const exited = exitOf(child);
  child.once("exit", (code) => lines.close(`it ended with ${code}`));
  const ready = await lines.next("the ready line", (line) => /^ready: http:\/\/127\.0\.0\.1:\d+$/.test(line));
  return {
    port: Number(ready.slice(ready.lastIndexOf(":") + 1)),
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return exited;
    },
  };
}

/** Runs one that ends by itself. */
export async function runSut(flags: readonly string[]): Promise<SutRun> {
  const lines: string[] = [];
  const code = await exitOf(launch(DIRECT, flags, (line) => lines.push(line)));
  return { code, output: lines.join("\n") };
}

function launch(
  [command = "", ...args]: readonly string[],
  flags: readonly string[],
  onLine: (line: string) => void,
): ChildProcess {
  const child = spawn(command, [...args, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) {
    let rest = "";
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      const pieces = (rest + chunk).split("\n");
      rest = pieces.pop() ?? "";
      for (const piece of pieces) onLine(piece);
    });
  }
  return child;
}

/** With all output read. A test that fails half-way leaves none behind. */
function exitOf(child: ChildProcess): Promise<number | null> {
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  return new Promise((resolve) => {
    child.once("close", (code) => {
      process.off("exit", kill);
      resolve(code);
    });
  });
}
