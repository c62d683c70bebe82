// Owns who takes over the tasks of servers that are dead: whoever renames the dead one's owner file first, and nobody else ever. What
// the dead one had adopted itself comes along with it.

import { join } from "node:path";
import type { Clock } from "../../core/platform/clock.ts";
import { describeError } from "../../core/platform/errors.ts";
import type { FilesPort } from "../../core/platform/files.ts";
import type { JournalFiles } from "../../core/platform/journal-files.ts";
import type { Processes } from "../../core/platform/processes.ts";
import { adoptedName, holderOf, type JournalName, ownerName, parseName, pidOf } from "./journal-names.ts";
import { decodeOwner, encodeOwner, type OwnerFile } from "./owner-file.ts";

/** Of a process that cannot be looked at, a file that nobody touched for so long tells that it is dead. */
const UNTOUCHED_MS = 90_000;
/** An owner file that says nothing. */
const NOBODY = "{}\n";

export interface AdoptionDeps {
  readonly folder: string;
  /** Of the server that adopts. */
  readonly key: string;
  readonly clock: Clock;
  readonly files: FilesPort;
  readonly journalFiles: JournalFiles;
  readonly processes: Processes;
}

export interface Adoption {
  /** Keys whose tasks belong to this server now. */
  readonly keys: ReadonlySet<string>;
  /** Keys that seem dead and could not be taken over, each with the reason. */
  readonly refused: ReadonlyMap<string, string>;
  /** Whether some may be dead, which only time can tell. */
  readonly unsure: boolean;
}

interface Round {
  readonly names: readonly JournalName[];
  readonly keys: Set<string>;
  readonly refused: Map<string, string>;
  unsure: boolean;
}

/** `keys` are those this server has already, its own among them; `released` count as dead, although their process lives. */
export async function adoptDead(
  deps: AdoptionDeps,
  keys: ReadonlySet<string>,
  released: ReadonlySet<string> = new Set(),
): Promise<Adoption> {
  const names = await namesIn(deps);
  const round: Round = { names, keys: new Set(keys), refused: new Map(), unsure: false };
  for (const { kind, key } of names) {
    if (kind !== "owner" || round.keys.has(key)) continue;
    if (released.has(key)) await take(deps, round, key, ownerName(key));
    else await adoptOwner(deps, round, key);
  }
  for (const name of names) if (name.kind === "adopted") await adoptAlong(deps, round, name);
  for (const key of ownerless(names)) await adoptOwnerless(deps, round, key);
  return round;
}

export async function namesIn({ files, folder }: Pick<AdoptionDeps, "files" | "folder">): Promise<JournalName[]> {
  return (await files.list(folder)).flatMap((name) => parseName(name) ?? []);
}

/**
 * Removes what the adopted ones have left half made, and the marks of those that have left nothing else. What cannot be removed, such as
 * a folder, stays and harms nobody: why is in the result.
 */
export async function tidyAdopted(deps: AdoptionDeps, keys: ReadonlySet<string>): Promise<readonly string[]> {
  const { files, folder } = deps;
  const problems: string[] = [];
  const withLines = new Set((await namesIn(deps)).flatMap(({ kind, key }) => (kind === "lines" ? [key] : [])));
  for (const name of await files.list(folder)) {
    const key = name.split(".")[0] ?? "";
    if (key === deps.key || !keys.has(key)) continue;
    if (!name.endsWith(".tmp") && withLines.has(key)) continue;
    await files.remove(join(folder, name)).catch((error: unknown) => void problems.push(describeError(error)));
  }
  return problems;
}

/** One that cannot even be looked at keeps nobody from taking over the others. */
async function adoptOwner(deps: AdoptionDeps, round: Round, key: string): Promise<void> {
  try {
    const state = (await lookAtOwner(deps, key))?.state ?? "alive";
    if (state === "unsure") round.unsure = true;
    if (state === "dead") await take(deps, round, key, ownerName(key));
  } catch (error) {
    round.refused.set(key, describeError(error));
  }
}

export interface OwnerState {
  /** "unsure" may live where this process cannot look. */
  readonly state: "dead" | "alive" | "unsure";
  /** undefined when what is in the file cannot be read. */
  readonly owner: OwnerFile | undefined;
}

/** Of the server of this key; undefined when it has no owner file (any more). Throws FILE_FAILED for one that leads nowhere. */
export async function lookAtOwner(
  deps: Pick<AdoptionDeps, "folder" | "clock" | "files" | "processes">,
  key: string,
): Promise<OwnerState | undefined> {
  const path = join(deps.folder, ownerName(key));
  const text = await deps.files.readText(path).catch(() => "");
  if (text === undefined) return undefined;
  const owner = decodeOwner(text);
  if (owner?.closed === true) return { state: "dead", owner };
  const liveness = owner === undefined ? "unknown" : deps.processes.liveness(owner);
  if (liveness !== "unknown") return { state: liveness, owner };
  const info = await deps.files.stat(path);
  const untouchedMs = deps.clock.now() - (info?.modifiedAt ?? deps.clock.now());
  return { state: untouchedMs > UNTOUCHED_MS ? "dead" : "unsure", owner };
}

/** What `name` was adopted by has been adopted by this server, by way of others perhaps; or has left nothing behind. */
async function adoptAlong(deps: AdoptionDeps, round: Round, name: JournalName): Promise<void> {
  if (name.by === deps.key) round.keys.add(name.key);
  if (round.keys.has(name.key)) return;
  const last = holderOf(round.names, name.by, (key) => round.keys.has(key));
  // Of one whose own owner file is gone it is decided below, or at the next look.
  const hasLines = round.names.some(({ kind, key }) => kind === "lines" && key === last);
  const isNobodys = !hasLines && !(await hasOwner(deps, round.names, last));
  if (round.keys.has(last) || isNobodys) await take(deps, round, name.key, name.name);
}

/** A listing may miss a file that is being renamed, so what it lacks is looked for once more. */
async function hasOwner(deps: AdoptionDeps, names: readonly JournalName[], key: string): Promise<boolean> {
  const told = (all: readonly JournalName[]): boolean => all.some((name) => name.key === key && name.kind !== "lines");
  return told(names) || told(await namesIn(deps));
}

/**
 * Lines whose owner file is gone belong to nobody: it is made again for the election. But should there be a process with the number of
 * their server, it may be that server, which makes its file again soon; until then one that says nothing stands in for it.
 */
async function adoptOwnerless(deps: AdoptionDeps, round: Round, key: string): Promise<void> {
  if (round.keys.has(key) || (await hasOwner(deps, [], key))) return;
  try {
    const path = join(deps.folder, ownerName(key));
    if (mayLive(deps, key)) {
      round.unsure = true;
      return await deps.files.writeAtomic(path, NOBODY);
    }
    await deps.files.writeAtomic(path, encodeOwner(closedOwner(deps, key)));
    await take(deps, round, key, ownerName(key));
    const rival = (await namesIn(deps)).some(
      (name) => name.key === key && name.kind === "adopted" && name.by !== deps.key,
    );
    if (!rival) return;
    // Two made it at once: the next start decides.
    round.keys.delete(key);
    await deps.files.remove(join(deps.folder, adoptedName(key, deps.key)));
  } catch (error) {
    round.refused.set(key, describeError(error));
  }
}

function ownerless(names: readonly JournalName[]): ReadonlySet<string> {
  const keys = new Set(names.map(({ key }) => key));
  for (const { kind, key } of names) if (kind !== "lines") keys.delete(key);
  return keys;
}

function mayLive({ processes }: AdoptionDeps, key: string): boolean {
  const pid = pidOf(key);
  return pid !== undefined && processes.liveness({ ...processes.self, pid, start: "" }) === "alive";
}

function closedOwner({ processes }: AdoptionDeps, key: string): OwnerFile {
  return { ...processes.self, key, address: "", secret: "", closed: true };
}

async function take(deps: AdoptionDeps, round: Round, key: string, name: string): Promise<void> {
  const { folder, journalFiles } = deps;
  try {
    const mine = await journalFiles.rename(join(folder, name), join(folder, adoptedName(key, deps.key)));
    if (mine) round.keys.add(key);
  } catch (error) {
    round.refused.set(key, describeError(error));
  }
}
