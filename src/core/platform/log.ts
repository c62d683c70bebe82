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

export interface LogOptions {
  /** Lines that are kept, the newest. */
  readonly capacity?: number;
  /** Takes the secrets from a line before anybody reads it. */
  readonly redact?: (text: string) => string;
}

export function createLog(clock: Clock, newId: () => string, options: LogOptions = {}): Log {
  const { capacity = 200, redact = (text) => text } = options;
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
    lines: () => ring.map((line) => ({ ...line, text: redact(line.text) })),
  };
}
