// A process of its own for what is attacked, so that its handles, timers and heap are measured without those of its attackers.
// Its death is an error of everything that waits for it.

import { fork } from "node:child_process";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

export interface Question {
  readonly id: number;
  readonly what: string;
  readonly payload: unknown;
}

export interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

export interface MeasuredProcess {
  /** Asks the child; throws what it threw, or how it died. */
  ask<T>(what: string, payload?: unknown): Promise<T>;
  /** Lets it go and waits for its end; throws when it had died before, or does not end by itself. */
  end(): Promise<void>;
}

const END_MS = 5_000;

/** Starts this program of ../fixtures, or the one at a URL. A heap beyond `maxHeapMb` ends the process: growth cannot hide. */
export async function startMeasured(
  program: string | URL,
  settings: object,
  maxHeapMb: number,
  nodeOptions: readonly string[] = ["--import", "tsx"],
): Promise<MeasuredProcess> {
  const name = program instanceof URL ? basename(program.pathname, ".ts") : program;
  const path = fileURLToPath(program instanceof URL ? program : new URL(`../fixtures/${name}.ts`, import.meta.url));
  const child = fork(path, [JSON.stringify(settings)], {
    execArgv: [...nodeOptions, "--expose-gc", `--max-old-space-size=${maxHeapMb}`],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-4_000);
    });
  }
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let death: string | undefined;
  const exited = new Promise<void>((resolve) => {
    // After a disconnect Node tells of the exit only, not of the close.
    child.once("exit", (code, signal) => {
      death = `${name} ended (code ${code}, signal ${signal}); it wrote: ${output || "nothing"}`;
      for (const { reject } of waiting.values()) reject(new Error(death));
      waiting.clear();
      resolve();
    });
  });
  child.on("message", ({ id, value, error }: Reply) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(value);
    else asked?.reject(new Error(error));
  });
  let questions = 0;
  const measured: MeasuredProcess = {
    ask: <T>(what: string, payload?: unknown) =>
      new Promise<T>((resolve, reject) => {
        if (death !== undefined) return reject(new Error(death));
        questions += 1;
        waiting.set(questions, { resolve: (value) => resolve(value as T), reject });
        const id = questions;
        child.send({ id, what, payload } satisfies Question, (error) => {
          // Without this, one that has been let go and has not ended yet would end this process.
          if (error === null || !waiting.delete(id)) return;
          reject(error);
        });
      }),
    async end() {
      if (death !== undefined) throw new Error(death);
      const timer = setTimeout(() => child.kill("SIGKILL"), END_MS);
      child.disconnect();
      await exited;
      clearTimeout(timer);
      if (output !== "") throw new Error(`${name} wrote ${output}`);
    },
  };
  await measured.ask("ready");
  return measured;
}
