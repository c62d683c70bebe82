// Owns which form of the code runs. A package that was installed brings a built form along, whose few files load in a fraction of
// the time; everything else, a checkout above all, runs from the sources, so that what was built before never hides them. Where the
// built form is missing or not whole, the sources stand in for it.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { builtEntry, isInstalled } from "../core/platform/built-files.ts";

type Wiring = Pick<typeof import("./wire.ts"), "wire">;

/** Where the built form finds the host's modules, on globalThis: they must be there before it is loaded. */
export const HOST_MODULES = "pi-a2a.host-modules.v1";

/** The extension of the package at `packageDir`. */
export function extensionAt(packageDir: string): (pi: ExtensionAPI) => Promise<void> {
  return async (pi) => {
    const { wire } = await loadWiring(packageDir);
    wire(pi, packageDir);
  };
}

/** The wiring of the package at `packageDir`. */
export async function loadWiring(packageDir: string): Promise<Wiring> {
  const entry = isInstalled(packageDir) ? builtEntry(join(packageDir, "dist")) : undefined;
  const built = entry === undefined ? undefined : await loadBuilt(entry);
  return built ?? (await import("./wire.ts"));
}

/** Undefined when it cannot be loaded. */
async function loadBuilt(entry: string): Promise<Wiring | undefined> {
  const { hostModules } = await import("./host/host-modules.ts");
  Reflect.set(globalThis, Symbol.for(HOST_MODULES), hostModules);
  try {
    const built: unknown = await import(pathToFileURL(entry).href);
    return isWiring(built) ? built : undefined;
  } catch {
    return undefined;
  }
}

function isWiring(value: unknown): value is Wiring {
  return typeof value === "object" && value !== null && "wire" in value && typeof value.wire === "function";
}
