// Owns one process of the chaos run: started ahead of time, so that a restart takes no longer than the server itself; then told to open
// the folder; then killed.

import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { DeathPoint } from "./death.ts";

export interface ServerOptions {
  /** A number that no other server of the run has. */
  readonly life: number;
  readonly folder: string;
  readonly runsPath: string;
  readonly notesPath: string;
  readonly port: number;
  readonly tokens: readonly string[];
  readonly maxTasks: number;
  readonly segmentBytes: number;
  readonly death?: DeathPoint;
}

export interface ServerReport {
  readonly port: number;
  /** Of the servers whose tasks it has. */
  readonly keys: readonly string[];
}

export function keyOf(life: number): string {
  return `life-${life}`;
}

export interface ServerProcess {
  /** Where it listens; undefined when it died before. */
  open(options: ServerOptions): Promise<ServerReport | undefined>;
  /** Orderly: resolves when it has ended. */
  quit(): Promise<void>;
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>;
  readonly gone: Promise<void>;
  /** What it wrote to its output: nothing, or a fault. */
  output(): string;
}

export function startServerProcess(): ServerProcess {
  const child = fork(fileURLToPath(new URL("./server-child.ts", import.meta.url)), [], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const output = outputOf(child);
  const kill = (): void => void child.kill("SIGKILL");
  // A run that fails leaves none behind.
  process.once("exit", kill);
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => {
      process.off("exit", kill);
      resolve();
    });
  });
  const send = (message: object): void => {
    // It may have died meanwhile, which `gone` tells.
    if (child.connected) child.send(message, () => undefined);
  };
  return {
    gone,
    output,
    open(options) {
      const ready = new Promise<ServerReport>((resolve) =>
        child.once("message", (report) => resolve(report as ServerReport)),
      );
      send(options);
      return Promise.race([ready, gone.then(() => undefined)]);
    },
    async quit() {
      send({});
      await gone;
    },
    async kill() {
      kill();
      await gone;
    },
  };
}

function outputOf(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (piece: string) => {
      text = (text + piece).slice(-4_000);
    });
  }
  return () => text;
}
