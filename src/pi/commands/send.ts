// Owns /a2a-send <agent> <message>: the person hands a task to a peer; the reply becomes a transcript entry outside the context.

import type { ExtensionCommandContext, RegisteredCommand } from "@mariozechner/pi-coding-agent";
import { A2aError } from "../../core/platform/errors.ts";
import { isTerminal } from "../../core/protocol/task-state.ts";
import { oneLine } from "../../core/security/sanitize.ts";
import type { CallResult } from "../../outbound/client-types.ts";
import { guardCommand } from "../guard.ts";
import { callText } from "../text/call-text.ts";
import { fullText } from "../tools/call.ts";
import { progressLine } from "../tools/call-progress.ts";
import { withLoader } from "../ui/loader.ts";
import { showText } from "../ui/show-text.ts";
import type { CommandDeps } from "./command-deps.ts";
import { complete, firstWord } from "./words.ts";

const STATUS_KEY = "a2a-send";

export function sendCommand(deps: CommandDeps): Omit<RegisteredCommand, "name" | "sourceInfo"> {
  return {
    description: "Send a task to a peer: /a2a-send <agent> <message>",
    getArgumentCompletions: (typed) =>
      complete(
        typed,
        deps.peerNames().map((name) => [`${name} `, "configured peer"] as const),
      ),
    handler: guardCommand(deps.log, "a2a-send", async (args, ctx) => {
      const { word: agent, rest: text } = firstWord(args);
      if (agent === "" || text.trim() === "") {
        throw new A2aError("INVALID_PARAMS", "Usage: /a2a-send <agent> <message>", {
          hint: "<agent> is a configured peer name or an http(s) URL.",
        });
      }
      const result = await send(deps, ctx, agent, text);
      showReply(deps, ctx, result, callText(agent, result, await fullText(deps, result)));
    }),
  };
}

async function send(deps: CommandDeps, ctx: ExtensionCommandContext, agent: string, text: string): Promise<CallResult> {
  const client = await deps.client();
  const label = `Waiting for ${oneLine(agent, 60)}`;
  try {
    return await withLoader(ctx, `${label} (Esc cancels)`, (signal) =>
      client.call({
        agent,
        text,
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
  deps.notes.add({ lines: [...text.split("\n"), ...ids], tone: good ? "info" : "error", open: true });
  showText(ctx, text, good ? "info" : "error");
}
