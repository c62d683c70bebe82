// Owns what a source of settings says (a layer) and how layers are laid over each other: key by key, later ones win, and each
// value knows where it came from. A value that was not taken is a fault, and counts as not set.

import type { Reading } from "./read-value.ts";
import type { Setting } from "./schema.ts";
import type { SettingKey } from "./schema-rows.ts";
import type { SettingValue } from "./setting-row.ts";

/** Enough to see what is wrong; a file of nonsense must not fill the screen. */
const MAX_FAULTS = 50;

/** A setting, and for keys with `*` the name the user chose ("" for all others). */
export interface SettingRef {
  readonly key: SettingKey;
  readonly name: string;
}

export interface Entry extends SettingRef {
  readonly value: SettingValue;
  /** File path, or `environment`. */
  readonly source: string;
}

/** Reads as `<source>: <place> <problem>`, then what is used instead when the fault is that of a setting. */
export interface Fault {
  readonly source: string;
  /** The key or variable as the user wrote it; "" for the source as a whole. */
  readonly place: string;
  readonly problem: string;
  readonly setting?: SettingRef;
}

/** What a source says in one place. */
export type Finding = { readonly entry: Entry } | { readonly fault: Fault } | { readonly peer: string };

export interface Layer {
  readonly source: string;
  readonly entries: readonly Entry[];
  /** Every peer the source defines, also one without a usable value. */
  readonly peers: readonly string[];
  readonly faults: readonly Fault[];
}

export interface MergedSettings {
  get(key: SettingKey, name?: string): Entry | undefined;
  /** Each peer, and the source that named it first. */
  readonly peers: ReadonlyMap<string, string>;
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
export function judge(setting: Setting, reading: Reading, written: Written): Finding | undefined {
  const { source, place, name, shown } = written;
  if (!setting.wired) {
    const asBefore = reading.kind === "absent" || (reading.kind === "value" && reading.value === setting.default);
    return asBefore ? undefined : { fault: notYet(source, place) };
  }
  const ref = { key: setting.key, name };
  if (reading.kind === "value") return { entry: { ...ref, value: reading.value, source } };
  if (reading.kind === "absent") return undefined;
  return { fault: { source, place, problem: `is ${shown}, not ${reading.wanted}`, setting: ref } };
}

/** The polite refusal of a setting whose part is not built. */
export function notYet(source: string, place: string): Fault {
  return { source, place, problem: "is not in this version yet and is ignored" };
}

export function createLayer(source: string, findings: Iterable<Finding>): Layer {
  const all = [...findings];
  return {
    source,
    entries: all.flatMap((finding) => ("entry" in finding ? [finding.entry] : [])),
    peers: all.flatMap((finding) => ("peer" in finding ? [finding.peer] : [])),
    faults: shorten(
      source,
      all.flatMap((finding) => ("fault" in finding ? [finding.fault] : [])),
    ),
  };
}

/** Lays the layers over each other, the weakest first. */
export function mergeLayers(layers: readonly Layer[]): MergedSettings {
  const entries = new Map<string, Entry>();
  const peers = new Map<string, string>();
  for (const layer of layers) {
    for (const entry of layer.entries) entries.set(idOf(entry.key, entry.name), entry);
    for (const name of layer.peers) if (!peers.has(name)) peers.set(name, layer.source);
  }
  return {
    get: (key, name = "") => entries.get(idOf(key, name)),
    peers,
    faults: layers.flatMap((layer) => layer.faults),
  };
}

/** `server.port`, or `peers.hermes.url`. */
export function pathOf({ key, name }: SettingRef): string {
  return key.replace("*", () => name);
}

function shorten(source: string, faults: readonly Fault[]): readonly Fault[] {
  if (faults.length <= MAX_FAULTS) return faults;
  const more = faults.length - MAX_FAULTS;
  return [...faults.slice(0, MAX_FAULTS), { source, place: "", problem: `${more} further values were not taken` }];
}

/** Names hold no space, so no two settings share an id. */
function idOf(key: SettingKey, name: string): string {
  return `${key} ${name}`;
}
