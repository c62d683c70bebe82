// What a case of the fuzz run is: a number, from which with the run's seed all of it follows. Types, and how a finding is told.

import type { Random } from "../../test/hostile/support/random.ts";

export type Kind = "http" | "json-rpc" | "card" | "reply" | "stream" | "head" | "settings" | "repository" | "env file";

export interface Case {
  readonly number: number;
  readonly kind: Kind;
  readonly random: Random;
}

/** What came of a case. */
export interface Outcome {
  /** In a word or two, for the counts. */
  readonly end: string;
  /** From the last byte of the input to the end. */
  readonly ms: number;
  /** What must not be; "" is all well. */
  readonly wrong: string;
  readonly input: Buffer;
}

/** Runs one case; throws only when the process under test is gone. */
export type RunCase = (one: Case) => Promise<Outcome>;

const MOST_SHOWN = 3000;

/** The input as text that a person can read and a program can turn back into bytes. */
export function shownBytes(bytes: Buffer): string {
  const text = bytes
    .subarray(0, MOST_SHOWN)
    .toString("latin1")
    .replace(/[^\n -[\]-~]/g, (letter) =>
      letter === "\\" ? "\\\\" : `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}`,
    );
  return bytes.length > MOST_SHOWN ? `${text}\n… ${bytes.length} bytes in all` : text;
}
