// Prints the cells: a row per operation, a column per peer and direction, then the reason of every cell that is not ok.

import type { Cell, Column } from "./cell.ts";

const MARKS = { ok: "ok", failed: "FAILED", absent: "-", limit: "limit" } as const;

/** Prints everything, with a summary as mocha has one. The exit code. */
export function conclude(cells: readonly Cell[], tookMs: number): number {
  const count = (verdict: Cell["verdict"]): number => cells.filter((cell) => cell.verdict === verdict).length;
  console.log(`${tableOf(cells)}\n\n  ${count("ok")} passing (${Math.round(tookMs / 1000)}s)`);
  if (count("failed") > 0) console.log(`  ${count("failed")} failing`);
  return count("failed") > 0 || count("ok") === 0 ? 1 : 0;
}

/** Rows in the order in which operations first appear. */
export function tableOf(cells: readonly Cell[]): string {
  const columns = unique(cells.map(headingOf));
  const operations = unique(cells.map(({ operation }) => operation));
  const rows = operations.map((operation) => [
    operation,
    ...columns.map((column) => {
      const cell = cells.find((candidate) => candidate.operation === operation && headingOf(candidate) === column);
      return cell === undefined ? "" : MARKS[cell.verdict];
    }),
  ]);
  return [...align([["", ...columns], ...rows]), ...reasonsOf(cells)].join("\n");
}

function headingOf({ peer, direction }: Column): string {
  return direction === "calls" ? `${peer} -> pi-a2a` : `pi-a2a -> ${peer}`;
}

/** Cells of one column with the same reason share a line. */
function reasonsOf(cells: readonly Cell[]): string[] {
  const told = new Map<string, string[]>();
  for (const cell of cells) {
    if (cell.verdict === "ok") continue;
    const key = `${MARKS[cell.verdict]}  ${headingOf(cell)}: ${cell.why ?? ""}`;
    told.set(key, [...(told.get(key) ?? []), cell.operation]);
  }
  if (told.size === 0) return [];
  return ["", ...[...told].map(([reason, operations]) => `${reason} (${operations.join("; ")})`)];
}

function align(rows: readonly (readonly string[])[]): string[] {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
