// Owns what happens when one of our callbacks fails inside Pi: a stray rejection ends the whole process, so nothing leaves
// here unguarded. Events are logged, commands tell the person what to do, tools throw what the model can act on.

import type { ExtensionCommandContext, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { A2aError, isA2aError } from "../core/platform/errors.ts";
import type { Log } from "../core/platform/log.ts";
import { showText } from "./ui/show-text.ts";

/** Wraps an event handler: a failure is logged and the host goes on. */
export function guardEvent<E>(
  log: Log,
  where: string,
  handle: (event: E, ctx: ExtensionContext) => Promise<void> | void,
): (event: E, ctx: ExtensionContext) => Promise<void> {
  return async (event, ctx) => {
    try {
      await handle(event, ctx);
    } catch (error) {
      log.fault(where, error);
    }
  };
}

/** Wraps a command: a failure is shown with its hint. */
export function guardCommand(
  log: Log,
  name: string,
  run: (args: string, ctx: ExtensionCommandContext) => Promise<void>,
): (args: string, ctx: ExtensionCommandContext) => Promise<void> {
  return async (args, ctx) => {
    try {
      await run(args, ctx);
    } catch (error) {
      showText(ctx, explain(log, `/${name}`, error), "error");
    }
  };
}

/** Wraps the use of a tool: what it throws, the model can act on. */
export async function guardTool<T>(log: Log, name: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    throw toolError(log, name, error);
  }
}

/** Turns whatever a tool threw into the error that the model reads: what happened, then what to do. */
export function toolError(log: Log, name: string, error: unknown): A2aError {
  const code = isA2aError(error) ? error.code : "INTERNAL";
  return new A2aError(code, explain(log, name, error), { cause: error });
}

/** What happened and what to do next; for an unexpected error the id under which the log keeps it. */
export function explain(log: Log, where: string, error: unknown): string {
  if (isA2aError(error)) return error.hint === "" ? error.message : `${error.message}\n${error.hint}`;
  return `${where} failed unexpectedly (log id ${log.fault(where, error)}).`;
}
