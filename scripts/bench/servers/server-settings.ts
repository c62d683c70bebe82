// What the servers of the bench are told, and the card that all of them show.

export interface OursSettings {
  /** For journal and audit; empty or of a server before. */
  readonly folder: string;
  /** 0 = no limit. */
  readonly maxTasks: number;
  /** Callers must log in with it. */
  readonly token?: string;
}

export interface FillWork {
  readonly count: number;
  readonly text: string;
}

export interface SdkSettings {
  /** Finished tasks that are there from the start. */
  readonly tasks: number;
  readonly token?: string;
}

/** A reply that the bare server gives to every request. */
export interface BareAnswer {
  readonly status: number;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** What every agent says to every message. */
export const REPLY = "Hello there.";

/** What the nth piece of live text says; ends where redaction holds nothing back. */
export function pieceText(n: number): string {
  return `word ${n} `;
}

export const CARD = {
  name: "bench",
  description: "Answers at once.",
  version: "1.0.0",
  skills: [{ id: "answer", name: "Answer", description: "Answers at once.", tags: ["answer"] }],
} as const;

/** Events that the bare server writes for every request, one in each turn of its event loop. */
export interface BareStream {
  readonly headers: readonly string[];
  readonly frame: string;
  readonly frames: number;
}
