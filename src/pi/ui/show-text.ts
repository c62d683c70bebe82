// Owns how a command's text reaches the person in every mode: a toast line in the TUI and over RPC, standard error in print
// and JSON mode (their standard output belongs to Pi).

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";

export type Level = "info" | "warning" | "error";

/** Shows `text`, which must already be safe for a terminal. */
export function showText(ctx: Pick<ExtensionContext, "hasUI" | "ui">, text: string, level: Level = "info"): void {
  if (ctx.hasUI) ctx.ui.notify(text, level);
  else process.stderr.write(`${text}\n`);
}
