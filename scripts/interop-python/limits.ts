// What peers cannot do, or do wrong, so that a failed cell is no fault of ours. A limit that a run does not meet any more is a failure:
// the row goes.

import type { Cell, Direction } from "../interop/cell.ts";

export interface Limit {
  readonly peer: string;
  readonly direction: Direction;
  readonly operation: string;
  /** What the failed cell says. */
  readonly says: RegExp;
  readonly why: string;
}

const ADK = { peer: "google-adk 2.13.0", direction: "serves" } as const;
const ADK_TASKS = { says: /'message you, said the agent' - 'direct you'/, why: "it answers with tasks only" };
const ADK_PARTS = {
  says: /deep-equal: .*'report\.pdf'.* - \{ - data:/,
  why: "its agents say text and files, and data only for tool calls; the file arrived",
};

const LIMITS: readonly Limit[] = [
  { ...ADK, operation: "send, direct message", ...ADK_TASKS },
  { ...ADK, operation: "stream, direct message", ...ADK_TASKS },
  { ...ADK, operation: "send, files and data", ...ADK_PARTS },
  { ...ADK, operation: "stream, files and data", ...ADK_PARTS },
  {
    ...{ peer: "a2a-sdk 1.3.0 in v0.3", direction: "calls", operation: "list" },
    ...{ says: /NotImplementedError/, why: "v0.3 has none" },
  },
];

/** The cells with the failures that a limit explains marked as such. */
export function applyLimits(cells: readonly Cell[], limits: readonly Limit[] = LIMITS): readonly Cell[] {
  return cells.map((cell): Cell => {
    const limit = limits.find((candidate) => isAbout(candidate, cell));
    if (limit === undefined) return cell;
    if (cell.verdict === "failed" && limit.says.test(cell.why ?? ""))
      return { ...cell, verdict: "limit", why: limit.why };
    return { ...cell, verdict: "failed", why: `${cell.why ?? "works"}; the limit written down is: ${limit.why}` };
  });
}

function isAbout(limit: Limit, cell: Cell): boolean {
  return limit.peer === cell.peer && limit.direction === cell.direction && limit.operation === cell.operation;
}
