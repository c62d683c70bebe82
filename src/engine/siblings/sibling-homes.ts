// Owns who answers for the tasks in the files of another server: the server itself, or whoever took them over; whether that one lives,
// and where it can be asked.

import type { Clock } from "../../core/platform/clock.ts";
import type { FilesPort } from "../../core/platform/files.ts";
import type { Processes } from "../../core/platform/processes.ts";
import { lookAtOwner } from "../journal/adoption.ts";
import { holderOf, type JournalName } from "../journal/journal-names.ts";
import type { OwnerFile } from "../journal/owner-file.ts";

/** The server that has a task, while it lives. */
export interface Home {
  /** Of the server. */
  readonly key: string;
  readonly pid: number | undefined;
  /** Where it listens and what it wants to hear; undefined while it cannot be asked from here. Never to be shown. */
  readonly door: { readonly origin: string; readonly secret: string } | undefined;
}

export interface HomesDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly files: FilesPort;
  readonly processes: Processes;
}

/** Of the server that has the files of `key` now; "dead" when nobody has. `names` are those of the folder. */
export async function homeOf(deps: HomesDeps, names: readonly JournalName[], key: string): Promise<Home | "dead"> {
  const holder = holderOf(names, key);
  // One that cannot be looked at may live.
  const found = await lookAtOwner(deps, holder).catch(() => ({ state: "unsure", owner: undefined }) as const);
  if (found === undefined || found.state === "dead") return "dead";
  const { state, owner } = found;
  return { key: holder, pid: owner?.pid, door: state === "alive" ? doorOf(owner) : undefined };
}

/** In another pid namespace or on another machine the address may be anybody's: its secret does not go there. */
function doorOf(owner: OwnerFile | undefined): Home["door"] {
  if (owner === undefined || owner.address === "" || owner.secret === "") return undefined;
  return { origin: owner.address, secret: owner.secret };
}
