// Owns what outlives one load of this package in a process: the host loads extensions again on /new, /resume, /fork and
// /reload, and module variables are lost on some of them. Everything here is a plain value that any copy of us can use.

import type { Timer } from "../../core/platform/clock.ts";
import { isObject } from "../../core/platform/json.ts";
import type { Services } from "../services.ts";
import { createLiveHost, type LiveHost } from "./live-host.ts";

const KEY = Symbol.for("pi-a2a.process.v1");

export interface ProcessState {
  readonly host: LiveHost;
  /** The services in charge; absent before the first use and after quit. */
  services: Promise<Services> | undefined;
  /** Runs while the host has no session. */
  absence: Timer | undefined;
}

/** The state of this process, made on first use. */
export function processState(): ProcessState {
  const held: unknown = Reflect.get(globalThis, KEY);
  if (isProcessState(held)) return held;
  const made: ProcessState = { host: createLiveHost(), services: undefined, absence: undefined };
  Reflect.set(globalThis, KEY, made);
  return made;
}

function isProcessState(value: unknown): value is ProcessState {
  return isObject(value) && isObject(value.host) && "services" in value && "absence" in value;
}
