// Owns how the rows of our tools look: the call with its target, the running line, and the result, collapsed to its anchor
// and first line or expanded to all of it.

import type { Theme, ToolRenderResultOptions } from "@mariozechner/pi-coding-agent";
import type { Component } from "@mariozechner/pi-tui";
import { isObject } from "../../core/platform/json.ts";
import { oneLine, safeBlock } from "../../core/security/sanitize.ts";
import { hideLogin } from "../../core/security/url-login.ts";
import { cutLines, wrappedLines } from "../ui/lines.ts";

const COLLAPSED_LINES = 4;

/** `a2a_call researcher Summarize …` */
export function drawCall(tool: string, target: unknown, detail: unknown, theme: Theme): Component {
  const words = [
    theme.fg("toolTitle", theme.bold(tool)),
    theme.fg("accent", shown(typeof target === "string" ? hideLogin(target) : target, 80)),
    theme.fg("dim", shown(detail, 160)),
  ];
  return cutLines([words.filter((word) => word !== "").join(" ")]);
}

/** The tool's text: one line while it runs, a few when collapsed, everything when expanded. */
export function drawResult(result: unknown, options: ToolRenderResultOptions, theme: Theme): Component {
  const lines = safeBlock(firstText(result)).split("\n");
  if (options.isPartial) return cutLines([theme.fg("warning", lines[0] ?? "")]);
  if (options.expanded) return wrappedLines(lines);
  const rest = lines.length - COLLAPSED_LINES;
  const more = rest > 0 ? [theme.fg("dim", `… ${rest} more lines`)] : [];
  return cutLines([...lines.slice(0, COLLAPSED_LINES), ...more]);
}

function firstText(result: unknown): string {
  const content = isObject(result) ? result.content : undefined;
  const block: unknown = Array.isArray(content) ? content[0] : undefined;
  return isObject(block) && typeof block.text === "string" ? block.text : "";
}

function shown(value: unknown, max: number): string {
  return typeof value === "string" ? oneLine(value, max) : "";
}
