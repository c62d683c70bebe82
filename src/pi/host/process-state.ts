// Owns what outlives one load of this package in a process: the host loads extensions again on /new, /resume, /fork and
// /reload, and module variables are lost on some of them. Everything here is a plain value that any copy of us can use.

import { isObject } from "../../core/platform/json.ts";
import type { Services } from "../services.ts";
import { createLiveHost, type LiveHost } from "./live-host.ts";

const KEY = Symbol.for("pi-a2a.process.v1");

export interface ProcessState {
  readonly host: LiveHost;
  /** The services in charge; absent before the first use and after quit. */
  services: Promise<Services> | undefined;
  /** Counts loads of the package; the newest load is the one whose callbacks count. */
  generation: number;
}

/** The state of this process, made on first use. */
export function processState(): ProcessState {
  const held: unknown = Reflect.get(globalThis, KEY);
  if (isProcessState(held)) return held;
  const made: ProcessState = { host: createLiveHost(), services: undefined, generation: 0 };
  Reflect.set(globalThis, KEY, made);
  return made;
}

function isProcessState(value: unknown): value is ProcessState {
  return isObject(value) && typeof value["generation"] === "number" && isObject(value["host"]);
}
