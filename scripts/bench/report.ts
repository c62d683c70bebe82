// What the bench has found: rows with their figures, and whether an aim is met.

import { cpus } from "node:os";

export type Unit = "/s" | "ms" | "B";

/** What the design wants of a row. */
export interface Aim {
  /** Which figure of the row it is about. */
  readonly figure: "ratio" | "ours" | "added";
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface Row {
  /** Stable, for programs: `send`, `card-304`, … */
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  /** Connections or streams at the same time. */
  readonly concurrency?: number;
  /** Medians, in `unit`. */
  readonly ours: number;
  readonly limit?: number;
  readonly sdk?: number;
  /** Median of ours/limit of the same round. */
  readonly ratio?: number;
  /** The same of the processor time for one request or event, limit/ours: what the server itself takes. */
  readonly cpuRatio?: number;
  /** Median of ours-limit of the same round. */
  readonly added?: number;
  readonly aim?: Aim;
}

export interface Report {
  readonly quick: boolean;
  readonly node: string;
  readonly cpu: string;
  readonly cpus: number;
  readonly seconds: number;
  readonly rows: readonly (Row & { readonly met?: boolean })[];
}

/** undefined without an aim. Throws when the row lacks the figure that its aim is about. */
export function isMet(row: Row): boolean | undefined {
  const { aim } = row;
  if (aim === undefined) return undefined;
  const value = row[aim.figure];
  if (value === undefined) throw new Error(`the row ${row.id} has an aim for its ${aim.figure}, and no such figure`);
  return value >= (aim.atLeast ?? Number.NEGATIVE_INFINITY) && value <= (aim.atMost ?? Number.POSITIVE_INFINITY);
}

export function reportOf(rows: readonly Row[], { quick, seconds }: Pick<Report, "quick" | "seconds">): Report {
  const processors = cpus();
  return {
    quick,
    node: process.version,
    cpu: processors[0]?.model.trim() ?? "unknown",
    cpus: processors.length,
    seconds,
    rows: rows.map((row) => {
      const met = isMet(row);
      return met === undefined ? row : { ...row, met };
    }),
  };
}
