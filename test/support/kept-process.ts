// A process that serves and keeps its tasks, for tests that kill it and start the next one on the same folder.

import { type ChildProcess, spawn } from "node:child_process";
import { createEventLog } from "./e2e-event-log.ts";

export interface KeptProcess {
  readonly port: number;
  /** What it said it could not read. */
  readonly problems: readonly string[];
  /** Sends SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

/** `through` is a command that runs the one which follows it, and becomes it. */
export async function startKeptProcess(folder: string, through: readonly string[] = []): Promise<KeptProcess> {
  const lines = createEventLog<string>();
  const server = ["--import", "tsx", "test/http/fixtures/kept-server.ts", folder];
  const [program = process.execPath, ...args] = [...through, process.execPath, ...server];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  readLines(child, (line) => lines.push(line));
  const gone = endOf(child);
  child.once("exit", (code) => lines.close(`it ended with ${code}`));
  const ready = await lines.next("the port", (line) => line.startsWith("port: "));
  return {
    port: Number(ready.slice("port: ".length)),
    problems: lines.all.filter((line) => line.startsWith("problem: ")),
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function readLines(child: ChildProcess, onLine: (line: string) => void): void {
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    const pieces = (rest + chunk).split("\n");
    rest = pieces.pop() ?? "";
    for (const piece of pieces) onLine(piece);
  });
}

/** A test that fails half-way leaves none behind. */
function endOf(child: ChildProcess): Promise<void> {
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  return new Promise((resolve) => {
    child.once("close", () => {
      process.off("exit", kill);
      resolve();
    });
  });
}
