// One cell of the table: a peer, a direction, an operation, and how it went.

import { isObject, parseJson } from "../../src/core/platform/json.ts";

/** `calls` us as a client, or `serves` our client. */
export type Direction = "calls" | "serves";

export interface Column {
  readonly peer: string;
  readonly direction: Direction;
}

export interface Cell extends Column {
  readonly operation: string;
  /** `absent`: the peer does not have the operation; `limit`: failed by a documented fault of the peer. */
  readonly verdict: "ok" | "failed" | "absent" | "limit";
  /** Of every verdict but `ok`. */
  readonly why?: string;
}

/** Runs one cell; whatever it throws is why it failed. */
export async function cellOf(column: Column, operation: string, work: () => Promise<void>): Promise<Cell> {
  try {
    await work();
    return { ...column, operation, verdict: "ok" };
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).split(/\s+/).join(" ").slice(0, 300);
    return { ...column, operation, verdict: "failed", why };
  }
}

/** A line of a Python program, undefined for one that says something else. */
export function readCell(column: Column, line: string): Cell | undefined {
  if (!line.startsWith("{")) return undefined;
  const fields = parseJson(line);
  if (!isObject(fields) || typeof fields.operation !== "string") return undefined;
  const { operation, ok, why, absent } = fields;
  if (typeof absent === "string") return { ...column, operation, verdict: "absent", why: absent };
  if (ok === true) return { ...column, operation, verdict: "ok" };
  return { ...column, operation, verdict: "failed", why: String(why) };
}
