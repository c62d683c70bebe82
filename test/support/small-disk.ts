// A disk of its own for servers of a test, of a certain size, that can be filled and be made read-only: a tmpfs in a mount namespace,
// where the system lets anybody have one. Only what is run "through" it sees it.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface SmallDisk {
  /** Where it is for what is run through it. */
  readonly path: string;
  /** The command that runs another one where the disk is. */
  readonly through: readonly string[];
  /** Takes up so many bytes. */
  fill(bytes: number): void;
  empty(): void;
  setReadOnly(on: boolean): void;
  /** Everything that was run through it must be gone. */
  close(): Promise<void>;
}

/** undefined where the system does not allow it. */
export async function openSmallDisk(path: string, bytes: number): Promise<SmallDisk | undefined> {
  if (process.platform !== "linux") return undefined;
  const script = `mount -t tmpfs -o size=${bytes} tmpfs "$1" && echo ready && exec sleep 1000000`;
  const holder = spawn("unshare", ["--map-root-user", "--mount", "sh", "-c", script, "sh", path], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (!(await isReady(holder)) || holder.pid === undefined) return undefined;
  const filler = join(`/proc/${holder.pid}/root`, path, "filler");
  const inside = ["--preserve-credentials", "--user", "--mount", `--target=${holder.pid}`, `--wd=${process.cwd()}`];
  const through = ["nsenter", ...inside];
  return {
    path,
    through,
    fill: (count) => writeFileSync(filler, Buffer.alloc(count)),
    empty: () => rmSync(filler),
    setReadOnly(on) {
      const [program = "", ...args] = [...through, "mount", "-o", `remount,${on ? "ro" : "rw"}`, path];
      execFileSync(program, args);
    },
    async close() {
      const gone = once(holder, "close");
      holder.kill("SIGKILL");
      await gone;
    },
  };
}

function isReady(holder: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    holder.once("error", () => resolve(false));
    holder.once("close", () => resolve(false));
    holder.stdout?.once("data", () => resolve(true));
  });
}
