// The one file that reads fields of Pi which are not part of its published types. Everything here answers undefined when the
// field is missing, so a host that has changed makes a feature test fail, never a run.

import type { AgentSession, ExtensionContext } from "@mariozechner/pi-coding-agent";

type Registry = ExtensionContext["modelRegistry"];

/** The models and logins behind the registry (current Pi line); undefined on 0.73.1, where the registry holds them itself. */
export function modelRuntimeOf(registry: Registry): object | undefined {
  return asObject(Reflect.get(registry, "runtime"));
}

/** The logins of the registry (0.73.1); undefined on the current Pi line. */
export function authStorageOf(registry: Registry): object | undefined {
  return asObject(Reflect.get(registry, "authStorage"));
}

/**
 * The tail of the queue in which 0.73.1 hands a run's events to extensions and then reacts to them (retry, compaction); prompt()
 * does not wait for it. Undefined on the current Pi line, which waits by itself.
 */
export function eventQueueOf(session: AgentSession): Promise<unknown> | undefined {
  const queue: unknown = Reflect.get(session, "_agentEventQueue");
  return queue instanceof Promise ? queue : undefined;
}

function asObject(value: unknown): object | undefined {
  return typeof value === "object" && value !== null ? value : undefined;
}
