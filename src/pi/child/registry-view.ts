// A child's view of the host's models and logins: the same objects, which the child's extensions cannot change. In a shared
// registry a child that loads a provider extension would take the provider over, and after the child's end every model call
// of the host would run in a dead extension instance. All of the host's providers are there already; one that only the
// child's extensions know stays out, for the stream functions behind it are shared by the whole process.

import type { Log } from "../../core/platform/log.ts";
import type { HostSession } from "../host/host-port.ts";
import { authStorageOf, modelRuntimeOf } from "../host/private-fields.ts";

type Registry = HostSession["modelRegistry"];

/** The options of createAgentSession that carry models and logins; their names differ between the Pi lines. */
export function childModels(registry: Registry, log: Log): object {
  const runtime = modelRuntimeOf(registry);
  const knows = (provider: string): boolean => registry.getAll().some((model) => model.provider === provider);
  const ignore = (provider: unknown): void => {
    const name = providerName(provider);
    if (!knows(name)) log.info(`provider ${name}, which only an extension of a child session offers, was left out`);
  };
  if (runtime !== undefined) return { modelRuntime: readOnly(runtime, ignore) };
  return { modelRegistry: readOnly(registry, ignore), authStorage: authStorageOf(registry) };
}

/** `target` as it is, except that what would change providers does nothing. */
function readOnly(target: object, ignore: (provider: unknown) => void): object {
  return Object.create(target, {
    registerProvider: { value: ignore },
    registerNativeProvider: { value: ignore },
    registerVirtualModel: { value: ignore },
    unregisterProvider: { value: () => undefined },
    unregisterVirtualModel: { value: () => undefined },
  });
}

/** A name, or an object that has one: the Pi lines take either. */
function providerName(provider: unknown): string {
  if (typeof provider === "string") return provider;
  if (typeof provider !== "object" || provider === null) return "unknown";
  const name: unknown = Reflect.get(provider, "provider") ?? Reflect.get(provider, "id");
  return typeof name === "string" ? name : "unknown";
}
