// Whether processes are gone, asked of the operating system.

import { setTimeout as pause } from "node:timers/promises";

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Resolves when the process has ended; rejects when it still runs after `deadlineMs`. */
export async function untilGone(pid: number, deadlineMs = 5_000): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) throw new Error(`process ${pid} still runs after ${deadlineMs} ms`);
    await pause(10);
  }
}
