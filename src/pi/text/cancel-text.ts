// Owns what a2a_cancel and /a2a-cancel say: how the task stands now, and whether it really stopped.

import { isTerminal } from "../../core/protocol/task-state.ts";
import { oneLine } from "../../core/security/sanitize.ts";
import type { CallResult } from "../../outbound/client-types.ts";
import type { KeptReply } from "../files/reply-store.ts";
import { statusText } from "./call-text.ts";

/** The task's anchor and text so far; some peers take the request and stop later, or never. */
export function cancelText(agent: string, result: CallResult, kept: KeptReply): string {
  const text = statusText(agent, result, false, kept);
  if (isTerminal(result.state)) return text;
  return `${text}\n\n${oneLine(agent, 80)} was told to cancel the task, which has not stopped yet.`;
}
