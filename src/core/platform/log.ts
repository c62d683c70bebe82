// Owns the log port: metadata-only lines in a bounded ring, for people who look into a fault. Never console (it draws over
// the terminal), never message texts or credentials.

import type { Clock } from "./clock.ts";
import { describeError } from "./errors.ts";

export interface LogLine {
  readonly at: number;
  readonly level: "info" | "warning" | "error";
  readonly text: string;
}

export interface Log {
  info(text: string): void;
  warn(text: string): void;
  /** Records a fault and returns its short id, which may be shown to callers in place of the fault. */
  fault(where: string, error: unknown): string;
  lines(): readonly LogLine[];
}

/** Keeps the newest `capacity` lines. */
export function createLog(clock: Clock, newId: () => string, capacity = 200): Log {
  const ring: LogLine[] = [];
  const add = (level: LogLine["level"], text: string): void => {
    ring.push({ at: clock.now(), level, text });
    if (ring.length > capacity) ring.shift();
  };
  return {
    info: (text) => add("info", text),
    warn: (text) => add("warning", text),
    fault(where, error) {
      const id = newId();
      add("error", `${id} ${where}: ${describeError(error)}`);
      return id;
    },
    lines: () => [...ring],
  };
}
