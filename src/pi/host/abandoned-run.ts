// Owns what becomes of the calls of a session that is replaced while they run. The current Pi line stops the session's run first;
// 0.73.1 leaves it running, unseen and unrecorded, so the peer would work on for nobody and keep a slot. Stops nothing else.

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import type { Log } from "../../core/platform/log.ts";
import { guardEvent } from "../guard.ts";

const OWN_TOOL = /^a2a_/;

/** Stops the run in which a call of ours waits when /new, /resume or /fork replaces its session; a reload keeps it. */
export function stopAbandonedRun(pi: ExtensionAPI, log: Log): void {
  const running = new Set<string>();
  pi.on(
    "tool_execution_start",
    guardEvent(log, "tool_execution_start", ({ toolName, toolCallId }) => {
      if (OWN_TOOL.test(toolName)) running.add(toolCallId);
    }),
  );
  pi.on(
    "tool_execution_end",
    guardEvent(log, "tool_execution_end", ({ toolCallId }) => {
      running.delete(toolCallId);
    }),
  );
  pi.on(
    "session_shutdown",
    guardEvent(log, "session_shutdown", ({ reason }, ctx) => {
      // At quit every call is ended by its client.
      if (running.size > 0 && reason !== "reload" && reason !== "quit") ctx.abort();
    }),
  );
}
