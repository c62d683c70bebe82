// Owns the text about the inbound server: started, running, stopped, and the numbers of /a2a-status.

import { callerLabel } from "../../core/security/identity.ts";
import { oneLine } from "../../core/security/sanitize.ts";
import type { OutboundStats } from "../../outbound/client-types.ts";
import type { Usage } from "../child/usage.ts";
import type { ServerReport } from "../server-control.ts";
import { refusedHostLines } from "./admission-text.ts";

/** More would hide what else is to be read. */
const MOST_PROBLEMS = 4;

/** Whether the person should look: how loud the start is told. */
export function startLevel({ refusedHost, keptProblems }: ServerReport): "info" | "warning" {
  return refusedHost === undefined && keptProblems.length === 0 ? "info" : "warning";
}

export function startedText(report: ServerReport, already: boolean): string {
  const lines = [
    already ? `A2A server already running on ${hostPort(report)}.` : `A2A server listening on ${hostPort(report)}.`,
  ];
  if (report.busyPort !== undefined) lines.push(`  Port ${report.busyPort} was busy, so ${report.port} is used.`);
  lines.push(`  Agent Card: ${report.cardUrl}`, ...keptLines(report));
  if (already) lines.push(...refusedHostLines(report));
  return lines.join("\n");
}

export function stoppedText(wasRunning: boolean): string {
  return wasRunning ? "A2A server stopped." : "The A2A server is not running.";
}

/** One line, then one per task in work. */
export function serverText(report: ServerReport | undefined): string {
  if (report === undefined) return "A2A server: stopped. Start it with /a2a-server start.";
  const { stats } = report;
  const lines = [
    `A2A server: listening on ${hostPort(report)}, ${stats.running} of ${stats.maxConcurrent} slots in use, ${stats.waiting} waiting.`,
    `  Agent Card: ${report.cardUrl}`,
    ...refusedHostLines(report),
    ...keptLines(report),
    ...report.running.map(
      (task) => `  - ${task.taskId} from ${oneLine(callerLabel(task.owner), 80)}${task.detached ? " (detached)" : ""}`,
    ),
  ];
  return lines.join("\n");
}

/** Server, then what went out and came in since the session began. */
export function metricsText(report: ServerReport | undefined, outbound: OutboundStats): string {
  const inbound =
    report === undefined
      ? "Inbound tasks: none while the server is stopped."
      : `Inbound tasks: ${report.stats.completed} completed, ${report.stats.failed} failed.${usageText(report.usage)}`;
  const mean = outbound.replies === 0 ? "" : `, ${Math.round(outbound.meanMs)} ms on average`;
  return [
    serverText(report),
    `Outbound calls: ${outbound.sent} sent, ${outbound.replies} answered, ${outbound.failed} failed${mean}.`,
    inbound,
  ].join("\n");
}

/** What the work of others cost; nothing while they had none done. */
function usageText({
  runs,
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  cost,
  seconds,
}: Usage): string {
  if (runs === 0) return "";
  const read = inputTokens + cacheReadTokens + cacheWriteTokens;
  return ` They took ${read} tokens in, ${outputTokens} out, $${cost.toFixed(4)}, ${Math.round(seconds)} s of work.`;
}

/** Where the audit is kept, and why it is not written now. */
export function auditText(path: string, problem: string | undefined): string {
  return problem === undefined ? `Audit: ${path}` : `Audit: ${path} is not written: ${oneLine(problem, 300)}`;
}

/** What is the matter with the tasks that are kept; file names may be anybody's. */
function keptLines({ keptProblems }: ServerReport): readonly string[] {
  const more = keptProblems.length - MOST_PROBLEMS;
  return [
    ...keptProblems.slice(0, MOST_PROBLEMS).map((problem) => `  Kept tasks: ${oneLine(problem, 300)}`),
    ...(more > 0 ? [`  Kept tasks: ${more} more problems like these.`] : []),
  ];
}

function hostPort(report: ServerReport): string {
  return report.origin.replace(/^http:\/\//, "");
}
