// Owns /a2a-send <agent> <message>: the person hands a task to a peer, or answers its question; the reply becomes a transcript entry
// outside the context.

import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { A2aError } from "../../core/platform/errors.ts";
import { isTerminal } from "../../core/protocol/task-state.ts";
import { oneLine } from "../../core/security/sanitize.ts";
import { hideLogin } from "../../core/security/url-login.ts";
import type { CallRequest, CallResult } from "../../outbound/client-types.ts";
import { callText } from "../text/call-text.ts";
import { progressLine } from "../tools/call-progress.ts";
import { withLoader } from "../ui/loader.ts";
import { showText } from "../ui/show-text.ts";
import type { CommandDeps } from "./command-deps.ts";
import { firstWord, leadingOptions } from "./words.ts";

const STATUS_KEY = "a2a-send";
const USAGE = "/a2a-send <agent> [--context <id>] [--task <id>] <message>";

export async function runSend(deps: CommandDeps, args: string, ctx: ExtensionCommandContext): Promise<void> {
  const order = readOrder(args);
  const result = await send(deps, ctx, order);
  const kept = await (await deps.replies()).keep(result);
  showReply(deps, ctx, result, callText(order.agent, result, kept, "command"));
}

type Order = Pick<CallRequest, "agent" | "text" | "contextId" | "taskId">;

function readOrder(args: string): Order {
  const { word: agent, rest } = firstWord(args);
  const { values, rest: text } = leadingOptions(rest, ["context", "task"]);
  if (agent === "" || text.trim() === "") {
    throw new A2aError("INVALID_PARAMS", `Usage: ${USAGE}`, {
      hint: "<agent> is a configured peer name or an http(s) URL; the ids stand in the last reply.",
    });
  }
  const contextId = values.get("context");
  const taskId = values.get("task");
  return {
    agent,
    text,
    ...(contextId === undefined ? {} : { contextId }),
    ...(taskId === undefined ? {} : { taskId }),
  };
}

async function send(deps: CommandDeps, ctx: ExtensionCommandContext, order: Order): Promise<CallResult> {
  const client = await deps.client();
  const label = `Waiting for ${oneLine(hideLogin(order.agent), 60)}`;
  try {
    return await withLoader(ctx, `${label} (Esc cancels)`, (signal) =>
      client.call({
        ...order,
        detached: false,
        typed: true,
        onProgress: (progress) => ctx.ui.setStatus(STATUS_KEY, `${label}: ${progressLine(progress)}`),
        ...(signal === undefined ? {} : { signal }),
      }),
    );
  } finally {
    ctx.ui.setStatus(STATUS_KEY, undefined);
  }
}

function showReply(deps: CommandDeps, ctx: ExtensionCommandContext, result: CallResult, text: string): void {
  const good = result.state === "TASK_STATE_COMPLETED" || !isTerminal(result.state);
  const ids = result.taskId === undefined ? [] : [`task ${oneLine(result.taskId, 80)}`];
  const lines = [...text.split("\n"), ...ids];
  deps.notes.add({ lines, tone: good ? "info" : "error", open: true });
  showText(ctx, lines.join("\n"), good ? "info" : "error");
}
