// Owns what one block of a settings file says: the `a2a` value, or what it holds for one folder. Walks only as deep as the
// settings table does. Total: every value it does not take becomes a finding, the rest still counts. Of a repository's file only
// the keys marked for it are taken; all others, known or not, are found to be ignored.

import { isObject } from "../platform/json.ts";
import { describeFor, describeKey, describeValue } from "./describe-value.ts";
import { createLayer, type Finding, judge, type Layer, type LayerKind, notYet } from "./layer.ts";
import { readJsonValue } from "./read-value.ts";
import { SETTINGS, type Setting } from "./schema.ts";
import { fitsFormat } from "./string-formats.ts";

export interface FileBlock {
  readonly kind: LayerKind;
  /** The file's path. */
  readonly source: string;
  /** Where in the file it stands, such as `a2a`. */
  readonly path: string;
  /** Undefined is no value. */
  readonly value: unknown;
}

/** One level of the settings table: a setting, or a group of further levels. */
interface Level {
  /** Such as `peers.*`; "" for the whole table. */
  readonly key: string;
  readonly setting: Setting | undefined;
  /** Whether anything in it is read. */
  readonly wired: boolean;
  /** Whether anything in it is a repository's to set. */
  readonly repository: boolean;
  readonly members: ReadonlyMap<string, Level>;
}

interface Place {
  readonly kind: LayerKind;
  readonly source: string;
  /** Such as `a2a.peers.hermes.auth`. */
  readonly path: string;
  /** The same for every chosen name: `a2a.peers.<name>.auth`. */
  readonly pattern: string;
  readonly name: string;
}

const ROOT = levelOf(
  "",
  SETTINGS.map((setting) => [setting.key.split("."), setting] as const),
);

export function layerFromFile(block: FileBlock): Layer {
  return createLayer(block, findingsIn(block));
}

export function findingsIn(block: FileBlock): Iterable<Finding> {
  if (block.value === undefined) return [];
  return withoutRepeats(readLevel(ROOT, block.value, { ...block, pattern: block.path, name: "" }));
}

function* readLevel(level: Level, value: unknown, place: Place): Generator<Finding> {
  if (place.kind === "repository" && !level.repository) {
    yield { ignored: place.pattern };
  } else if (level.setting !== undefined) {
    yield* readSetting(level.setting, value, place);
  } else if (!level.wired) {
    yield { fault: notYet(place.source, place.pattern) };
  } else if (!isObject(value)) {
    yield faultAt(place, `is ${describeValue(value)}, not an object; nothing in it is used`);
  } else {
    for (const [key, member] of Object.entries(value)) yield* readMember(level, key, member, place);
  }
}

function* readMember(level: Level, key: string, value: unknown, place: Place): Generator<Finding> {
  const known = isKnown(level, key, place) ? level.members.get(key) : undefined;
  const named = level.members.get("*");
  if (known !== undefined) {
    yield* readLevel(known, value, below(place, key));
  } else if (named !== undefined) {
    yield* readNamed(named, key, value, place);
  } else if (!key.startsWith("//")) {
    // JSON has no comments: people write them as members that begin like one.
    const at = below(place, key);
    yield place.kind === "repository" ? { ignored: at.pattern } : faultAt(at, "is not a setting and is ignored");
  }
}

/** A block for one folder holds no blocks for folders. */
function isKnown(level: Level, key: string, place: Place): boolean {
  return key !== "*" && !(place.kind === "project" && level === ROOT && key === "projects");
}

function* readNamed(level: Level, name: string, value: unknown, place: Place): Generator<Finding> {
  const at = { ...below(place, name), pattern: `${place.pattern}.<name>`, name };
  if (!fitsFormat("name", name)) {
    yield faultAt(at, "is left out: a name has at most 64 letters, digits, dots, dashes and underscores");
    return;
  }
  if (level.key === "peers.*" && isObject(value)) yield { peer: name };
  yield* readLevel(level, value, at);
}

function* readSetting(setting: Setting, value: unknown, place: Place): Generator<Finding> {
  yield* judge(setting, readJsonValue(setting, value), {
    source: place.source,
    place: setting.wired ? place.path : place.pattern,
    name: place.name,
    shown: describeFor(setting, value),
  });
}

/** A setting that is not built yet is named once, however many peers have it. */
function* withoutRepeats(findings: Iterable<Finding>): Generator<Finding> {
  const said = new Set<string>();
  for (const finding of findings) {
    if ("fault" in finding) {
      const text = `${finding.fault.place} ${finding.fault.problem}`;
      if (said.has(text)) continue;
      said.add(text);
    }
    yield finding;
  }
}

function faultAt(place: Place, problem: string): Finding {
  return { fault: { source: place.source, place: place.path, problem } };
}

function below(place: Place, key: string): Place {
  const step = describeKey(key);
  return { ...place, path: `${place.path}.${step}`, pattern: `${place.pattern}.${step}` };
}

type KeyedSetting = readonly [readonly string[], Setting];

function levelOf(key: string, settings: readonly KeyedSetting[]): Level {
  const [path, setting] = settings[0] ?? [];
  if (path?.length === 0 && setting !== undefined) {
    return { key, setting, wired: setting.wired, repository: setting.repository, members: new Map() };
  }
  const groups = new Map<string, KeyedSetting[]>();
  for (const [[first = "", ...rest], each] of settings) {
    groups.set(first, [...(groups.get(first) ?? []), [rest, each]]);
  }
  const members = new Map(
    [...groups].map(([name, group]) => [name, levelOf(key === "" ? name : `${key}.${name}`, group)]),
  );
  const all = [...members.values()];
  return {
    key,
    setting: undefined,
    wired: all.some((member) => member.wired),
    repository: all.some((member) => member.repository),
    members,
  };
}
