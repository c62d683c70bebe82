// Owns /a2a-cancel <agent> <task id>: the person ends a task that was handed to a peer earlier.

import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { A2aError } from "../../core/platform/errors.ts";
import { oneLine } from "../../core/security/sanitize.ts";
import { hideLogin } from "../../core/security/url-login.ts";
import { cancelText } from "../text/cancel-text.ts";
import { withLoader } from "../ui/loader.ts";
import { showText } from "../ui/show-text.ts";
import type { CommandDeps } from "./command-deps.ts";
import { firstWord } from "./words.ts";

const USAGE = "/a2a-cancel <agent> <task id>";

export async function runCancel(deps: CommandDeps, args: string, ctx: ExtensionCommandContext): Promise<void> {
  const { word: agent, rest } = firstWord(args);
  const taskId = rest.trim();
  if (agent === "" || taskId === "" || /\s/.test(taskId)) {
    throw new A2aError("INVALID_PARAMS", `Usage: ${USAGE}`, {
      hint: "<agent> is a configured peer name or an http(s) URL; the task's id stands in its last reply.",
    });
  }
  const client = await deps.client();
  const label = `Telling ${oneLine(hideLogin(agent), 60)} to cancel (Esc ends the wait)`;
  const dispatched = await deps.dispatched();
  const result = await withLoader(ctx, label, (signal) =>
    dispatched.asked(agent, taskId, () =>
      client.cancel(agent, taskId, { typed: true, ...(signal === undefined ? {} : { signal }) }),
    ),
  );
  showText(ctx, cancelText(agent, result, await (await deps.replies()).keep(result)));
}
