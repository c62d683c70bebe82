// Owns what a server tells the others about itself: which process it is, and where and with which secret it can be reached.

import { isObject } from "../../core/platform/json.ts";
import type { ProcessIdentity } from "../../core/platform/processes.ts";

export interface OwnerFile extends ProcessIdentity {
  readonly key: string;
  /** Origin of its listener; "" until it listens. */
  readonly address: string;
  /** Whoever can read this file is the same user, and may ask for others' tasks. */
  readonly secret: string;
  /** It has ended and wants its tasks to be taken over, although its process may live on. */
  readonly closed: boolean;
}

export function encodeOwner(owner: OwnerFile): string {
  return `${JSON.stringify(owner)}\n`;
}

/** undefined when the text is no owner file: nothing is known of its process then. */
export function decodeOwner(text: string): OwnerFile | undefined {
  const value = parse(text);
  if (!isObject(value) || typeof value.pid !== "number") return undefined;
  const word = (name: string): string => (typeof value[name] === "string" ? value[name] : "");
  return {
    key: word("key"),
    pid: value.pid,
    start: word("start"),
    boot: word("boot"),
    namespace: word("namespace"),
    machine: word("machine"),
    address: word("address"),
    secret: word("secret"),
    closed: value.closed === true,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A file that was not written by us, or not to its end.
    return undefined;
  }
}
