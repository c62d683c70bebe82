// Owns waiting in a command: a loader that Esc ends where there is a terminal, a plain wait elsewhere.

import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { BorderedLoader } from "@mariozechner/pi-coding-agent";

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** Runs `work` once; in the TUI its signal aborts on Esc, elsewhere there is nobody to press it. */
export async function withLoader<T>(
  ctx: ExtensionCommandContext,
  text: string,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (!ctx.hasUI) return work(undefined);
  let running: Promise<Outcome<T>> | undefined;
  const shown = await ctx.ui.custom<Outcome<T> | undefined>((tui, theme, _keys, done) => {
    const loader = new BorderedLoader(tui, theme, text);
    running = outcome(work(loader.signal));
    void running.then(done);
    return loader;
  });
  const ended = shown ?? (await (running ?? outcome(work(undefined))));
  if ("error" in ended) throw ended.error;
  return ended.value;
}

async function outcome<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work };
  } catch (error) {
    return { error };
  }
}
