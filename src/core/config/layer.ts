// Owns what a source of settings says (a layer) and how layers are laid over each other: key by key, later ones win, and each
// value knows where it came from. A value that was not taken is a fault, and counts as not set.

import { type Reading, wantedOfEntry } from "./read-value.ts";
import type { Setting } from "./schema.ts";
import type { SettingKey } from "./schema-rows.ts";
import type { SettingValue } from "./setting-row.ts";

/** A setting, and for keys with `*` the name the user chose ("" for all others). */
export interface SettingRef {
  readonly key: SettingKey;
  readonly name: string;
}

/**
 * Where a layer comes from, the weakest first: the repository's own file, the global file, its block for the session's folder,
 * the global `.env.local`, the process environment, the panel of this session.
 */
export type LayerKind = "repository" | "global" | "project" | "env-file" | "environment" | "session";

export interface Entry extends SettingRef {
  readonly value: SettingValue;
  /** File path, `environment`, or `this session`. */
  readonly source: string;
}

/** The value that counts, and which kind of layer gave it. */
export interface FoundEntry extends Entry {
  readonly kind: LayerKind;
}

/** Reads as `<source>: <place> <problem>`, then what is used instead when the fault is that of a setting. */
export interface Fault {
  readonly source: string;
  /** The key or variable as the user wrote it; "" for the source as a whole. */
  readonly place: string;
  readonly problem: string;
  readonly setting?: SettingRef;
  /** The rest of the value counts. */
  readonly inPart?: boolean;
  /** The source could not be read at all, and nobody knows what it says. */
  readonly whole?: boolean;
}

/** What a source says in one place; `ignored` is a place that is not the source's to set. */
export type Finding =
  | { readonly entry: Entry }
  | { readonly fault: Fault }
  | { readonly peer: string }
  | { readonly ignored: string };

export interface Layer {
  readonly kind: LayerKind;
  readonly source: string;
  readonly entries: readonly Entry[];
  /** Every peer the source defines, also one without a usable value. */
  readonly peers: readonly string[];
  readonly faults: readonly Fault[];
}

export interface PeerSource {
  readonly kind: LayerKind;
  readonly source: string;
}

export interface MergedSettings {
  get(key: SettingKey, name?: string): FoundEntry | undefined;
  /** The names the user chose below such a key, in the order of the layers. */
  names(prefix: string): readonly string[];
  /** Each peer, and the source that named it first. */
  readonly peers: ReadonlyMap<string, PeerSource>;
  readonly faults: readonly Fault[];
}

/** Where a value was written, and how it may be shown. */
export interface Written {
  readonly source: string;
  readonly place: string;
  readonly name: string;
  readonly shown: string;
}

/** What follows from one written value; nothing when it is blank, or the same as before for a setting not built yet. */
export function judge(setting: Setting, reading: Reading, written: Written): readonly Finding[] {
  const { source, place, name, shown } = written;
  if (!setting.wired) {
    const asBefore = reading.kind === "absent" || (reading.kind === "value" && isDefault(setting, reading.value));
    return asBefore ? [] : [{ fault: notYet(source, place) }];
  }
  if (reading.kind === "absent") return [];
  const ref = { key: setting.key, name };
  if (reading.kind === "wrong") {
    return [{ fault: { source, place, problem: `is ${shown}, not ${reading.wanted}`, setting: ref } }];
  }
  const entry: Finding = { entry: { ...ref, value: reading.value, source } };
  if (reading.leftOut === undefined) return [entry];
  const [many, are] = reading.leftOut === 1 ? ["an entry", "is"] : [`${reading.leftOut} entries`, "are"];
  const problem = `has ${many} that ${are} left out: each is ${wantedOfEntry(setting)}`;
  return [entry, { fault: { source, place, problem, setting: ref, inPart: true } }];
}

function isDefault(setting: Setting, value: SettingValue): boolean {
  return JSON.stringify(value) === JSON.stringify(setting.default);
}

/** The polite refusal of a setting whose part is not built. */
export function notYet(source: string, place: string): Fault {
  return { source, place, problem: "is not in this version yet and is ignored" };
}

export function createLayer({ kind, source }: PeerSource, findings: Iterable<Finding>): Layer {
  const all = [...findings];
  return {
    kind,
    source,
    entries: all.flatMap((finding) => ("entry" in finding ? [finding.entry] : [])),
    peers: all.flatMap((finding) => ("peer" in finding ? [finding.peer] : [])),
    faults: all.flatMap((finding) => ("fault" in finding ? [finding.fault] : [])),
  };
}

/** Lays the layers over each other, the weakest first. */
export function mergeLayers(layers: readonly Layer[]): MergedSettings {
  const entries = new Map<string, FoundEntry>();
  const peers = new Map<string, PeerSource>();
  for (const { kind, source, ...layer } of layers) {
    for (const entry of layer.entries) entries.set(idOf(entry.key, entry.name), { ...entry, kind });
    for (const name of layer.peers) if (!peers.has(name)) peers.set(name, { kind, source });
  }
  const found = [...entries.values()];
  return {
    get: (key, name = "") => entries.get(idOf(key, name)),
    names: (prefix) => [...new Set(found.filter(({ key }) => key.startsWith(`${prefix}.*.`)).map(({ name }) => name))],
    peers,
    faults: layers.flatMap((layer) => layer.faults),
  };
}

/** `server.port`, or `peers.hermes.url`. */
export function pathOf({ key, name }: SettingRef): string {
  return key.replace("*", () => name);
}

/** Names hold no space, so no two settings share an id. */
function idOf(key: SettingKey, name: string): string {
  return `${key} ${name}`;
}
