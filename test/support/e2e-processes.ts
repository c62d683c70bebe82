// Looks at the operating system from outside Pi: which processes live, which files have appeared.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** True while the process exists and is not merely waiting to be collected by its parent. */
function isAlive(pid: number): boolean {
  return listProcesses().some((row) => row.pid === pid);
}

/** The processes started by this one, directly or not. */
export function descendants(pid: number): number[] {
  const rows = listProcesses();
  const found: number[] = [];
  for (let parents = [pid]; parents.length > 0; ) {
    const children = rows.filter((row) => parents.includes(row.parent)).map((row) => row.pid);
    found.push(...children);
    parents = children;
  }
  return found;
}

/** Resolves with the file's text once it has some, and `where` finds in it what it looks for. */
export async function appeared(
  path: string,
  { where = (): boolean => true, deadlineMs = 15_000 }: { where?: (text: string) => boolean; deadlineMs?: number } = {},
): Promise<string> {
  const read = (): string => (existsSync(path) ? readFileSync(path, "utf8").trim() : "");
  await until(`${path} to be written`, () => read() !== "" && where(read()), deadlineMs);
  return read();
}

/** Resolves once nothing is at the path any more. */
export async function vanished(path: string, deadlineMs = 5_000): Promise<void> {
  await until(`${path} to be removed`, () => !existsSync(path), deadlineMs);
}

/** Resolves once none of the processes is there any more. */
export async function gone(pids: readonly number[], deadlineMs = 5_000): Promise<void> {
  await until(`process ${pids.join(", ")} to end`, () => !pids.some(isAlive), deadlineMs);
}

/** The operating system tells nobody: ask again until it is so, or the deadline has come. */
async function until(what: string, isSo: () => boolean, deadlineMs: number): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`waited ${deadlineMs} ms for ${what}`);
    await sleep(20);
  }
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
}

function listProcesses(): ProcessRow[] {
  return existsSync("/proc/self/stat") ? readProc() : readPs();
}

function readProc(): ProcessRow[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // "pid (name) state parent ...": the name may hold blanks and brackets.
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return state === "Z" ? [] : [{ pid: Number(name), parent: Number(parent) }];
    } catch {
      // Ended between the listing and the reading.
      return [];
    }
  });
}

function readPs(): ProcessRow[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,state="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [pid, parent, state] = line.trim().split(/\s+/);
    return pid === undefined || pid === "" || state?.startsWith("Z")
      ? []
      : [{ pid: Number(pid), parent: Number(parent) }];
  });
}
