// The tools that a child may have: those of the host, for a session that was started without a shell must not lend one to its
// callers, and the child's own beside them, without which it could neither ask nor hand over files.

import type { ToolLimits } from "../host/launch-args.ts";

/** Options of createAgentSession; 0.73.1 knows no `excludeTools` and no `--exclude-tools`. */
export interface ToolOptions {
  readonly tools?: string[];
  readonly noTools?: "all" | "builtin";
  readonly excludeTools?: string[];
}

/** The current Pi line keeps tools of MCP servers beside an allow-list, unless an entry of it is about them. */
const NO_MCP = "mcp__";

/** `own` are the names of the tools that a child has whatever the host's limits are. */
export function toolOptions({ only, none, without }: ToolLimits, own: readonly string[]): ToolOptions {
  return {
    ...allowed(only, none, own),
    ...(none === undefined ? {} : { noTools: none }),
    ...(without === undefined ? {} : { excludeTools: [...without] }),
  };
}

function allowed(only: readonly string[] | undefined, none: ToolLimits["none"], own: readonly string[]): ToolOptions {
  if (only?.some(isChange) === true) return { tools: [...only, ...own.map((name) => `+${name}`)] };
  if (only !== undefined && only.length > 0) return { tools: [...only, ...own] };
  return only !== undefined || none === "all" ? { tools: [...own, NO_MCP] } : {};
}

/** `+name` and `-name` change the usual tools instead of replacing them, and cannot stand beside plain names. */
function isChange(entry: string): boolean {
  return /^[+-]/.test(entry);
}
