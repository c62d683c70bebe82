// What the interop suites have shown: peer x direction x operation, from the tests that name what they cover. Kept on globalThis,
// since mocha loads its hooks apart from the test files.

import { afterEach } from "mocha";

export type Direction = "we call it" | "it calls us";

/** In the order of the table's columns. */
export const OPERATIONS = [
  "card",
  "send",
  "stream",
  "message",
  "failure",
  "question",
  "files",
  "get",
  "list",
  "cancel",
  "subscribe",
  "push",
  "errors",
  "login",
] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface InteropRow {
  readonly peer: string;
  readonly direction: Direction;
  /** True while every test of the operation has passed. */
  readonly operations: Map<Operation, boolean>;
}

const KEY = Symbol.for("pi-a2a.test.interop-table");

export function interopRows(): InteropRow[] {
  const holder = globalThis as { [KEY]?: InteropRow[] };
  holder[KEY] ??= [];
  return holder[KEY];
}

/** Call it in a describe; what it gives is called by each test with the operations that the test shows. */
export function interopRow(peer: string, direction: Direction): (...operations: readonly Operation[]) => void {
  const row = rowOf(peer, direction);
  let named: readonly Operation[] = [];
  afterEach(function () {
    const passed = this.currentTest?.state === "passed";
    for (const operation of named) row.operations.set(operation, passed && row.operations.get(operation) !== false);
    named = [];
  });
  return (...operations) => {
    named = [...named, ...operations];
  };
}

function rowOf(peer: string, direction: Direction): InteropRow {
  const known = interopRows().find((row) => row.peer === peer && row.direction === direction);
  if (known !== undefined) return known;
  const row: InteropRow = { peer, direction, operations: new Map() };
  interopRows().push(row);
  return row;
}

/** One line per peer and direction, only the columns that some row has. */
export function interopTable(rows: readonly InteropRow[]): string {
  const columns = OPERATIONS.filter((operation) => rows.some((row) => row.operations.has(operation)));
  const sorted = [...rows]
    .filter((row) => row.operations.size > 0)
    .sort((one, other) => one.direction.localeCompare(other.direction) || one.peer.localeCompare(other.peer));
  const cells = [
    ["peer", "direction", ...columns],
    ...sorted.map((row) => [row.peer, row.direction, ...columns.map((column) => cell(row, column))]),
  ];
  const widths = (cells[0] ?? []).map((_name, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cell({ operations }: InteropRow, operation: Operation): string {
  const passed = operations.get(operation);
  if (passed === undefined) return "-";
  return passed ? "ok" : "FAIL";
}
