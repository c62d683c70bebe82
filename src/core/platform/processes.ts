// Owns telling whether another process still lives: by what cannot be reused unseen (boot, pid namespace, pid and start time), not by
// a clock. Of another pid namespace or machine that shares the folder nothing can be told.

import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { codeOf } from "./files.ts";

/** What tells a process from every other one; "" where the system does not say. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In ticks since the boot. */
  readonly start: string;
  readonly boot: string;
  /** Of pids. */
  readonly namespace: string;
  /** The machine's name. */
  readonly machine: string;
}

export interface Processes {
  readonly self: ProcessIdentity;
  /** "unknown" when it may live where this process cannot look. */
  liveness(other: ProcessIdentity): "alive" | "dead" | "unknown";
}

export function createProcesses(): Processes {
  const self: ProcessIdentity = {
    pid: process.pid,
    start: statOf(process.pid).start,
    boot: contentOf(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()),
    namespace: contentOf(() => readlinkSync("/proc/self/ns/pid")),
    machine: hostname(),
  };
  return { self, liveness: (other) => liveness(self, other) };
}

function liveness(self: ProcessIdentity, other: ProcessIdentity): ReturnType<Processes["liveness"]> {
  if (other.machine !== self.machine || other.namespace !== self.namespace) return "unknown";
  if (other.boot !== self.boot) return "dead";
  if (!exists(other.pid)) return "dead";
  const { state, start } = statOf(other.pid);
  // It has ended, and whoever started it has not asked how.
  if (state === "Z" || state === "X") return "dead";
  return start === "" || other.start === "" || start === other.start ? "alive" : "dead";
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user.
    return codeOf(error) === "EPERM";
  }
}

/** The name of the program may hold blanks and brackets, so the fields are counted from its end. */
function statOf(pid: number): { readonly state: string; readonly start: string } {
  const stat = contentOf(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", start: fields[19] ?? "" };
}

/** Only Linux has /proc. */
function contentOf(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
