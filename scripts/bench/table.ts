// The report as text for people.

import type { Aim, Report, Row, Unit } from "./report.ts";

const HEADINGS = ["", "at once", "pi-a2a", "limit", "sdk", "of limit", "cpu", "aim", ""];

export function tableOf({ rows, quick, node, cpu, cpus, seconds }: Report): string {
  const lines = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const text = lines.map((cells) => cells.map((cell, column) => pad(cell, column, widths[column] ?? 0)).join("  "));
  const missed = rows.filter(({ met }) => met === false).length;
  const aims = rows.filter(({ met }) => met !== undefined).length;
  return [
    ...text.map((line) => line.trimEnd()),
    "",
    `${aims - missed} of ${aims} aims met${quick ? "; quick: short runs, so look at large differences only" : ""}`,
    `Node ${node}, ${cpus} x ${cpu}, ${Math.round(seconds)} s. docs/performance.md says what the columns mean.`,
  ].join("\n");
}

function pad(cell: string, column: number, width: number): string {
  return column === 0 || column === HEADINGS.length - 1 ? cell.padEnd(width) : cell.padStart(width);
}

function cellsOf(row: Report["rows"][number]): readonly string[] {
  const { title, concurrency, unit, ours, limit, sdk, ratio, cpuRatio, added, aim, met } = row;
  return [
    title,
    concurrency === undefined ? "" : String(concurrency),
    shown(ours, unit),
    shown(limit, unit),
    shown(sdk, unit),
    added === undefined ? shown(ratio) : `${added < 0 ? "-" : "+"}${shown(Math.abs(added), unit)}`,
    shown(cpuRatio),
    aim === undefined ? "" : shownAim(aim, row),
    met === undefined ? "" : met ? "met" : "MISSED",
  ];
}

function shownAim({ figure, atLeast, atMost }: Aim, { unit }: Row): string {
  const of = figure === "ratio" ? undefined : unit;
  const sign = figure === "added" ? "+" : "";
  return atLeast !== undefined ? `>= ${sign}${shown(atLeast, of)}` : `<= ${sign}${shown(atMost, of)}`;
}

/** A plain ratio without a unit. */
function shown(value: number | undefined, unit?: Unit): string {
  if (value === undefined) return "";
  if (unit === undefined) return value.toFixed(2);
  const digits = value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US");
  return `${digits} ${unit}`.replace(" /s", "/s");
}
