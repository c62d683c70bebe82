// Owns what the `a2a` value of a settings file says, as a layer. Walks only as deep as the settings table does. Total: every
// value it does not take becomes a fault, the rest still counts.

import { isObject } from "../platform/json.ts";
import { describeFor, describeKey, describeValue } from "./describe-value.ts";
import { createLayer, type Finding, judge, type Layer, notYet } from "./layer.ts";
import { isName, readJsonValue } from "./read-value.ts";
import { SETTINGS, type Setting } from "./schema.ts";

/** One level of the settings table: a setting, or a group of further levels. */
interface Level {
  readonly setting: Setting | undefined;
  /** Whether anything in it is read. */
  readonly wired: boolean;
  readonly members: ReadonlyMap<string, Level>;
}

interface Place {
  readonly source: string;
  /** Such as `a2a.peers.hermes.auth`. */
  readonly path: string;
  /** The same for every chosen name: `a2a.peers.<name>.auth`. */
  readonly pattern: string;
  readonly name: string;
}

const ROOT = levelOf(SETTINGS.map((setting) => [setting.key.split("."), setting] as const));

/** The layer of the `a2a` value found in `source`; undefined is no value. */
export function layerFromFile(source: string, a2a: unknown): Layer {
  const findings = a2a === undefined ? [] : readLevel(ROOT, a2a, { source, path: "a2a", pattern: "a2a", name: "" });
  return createLayer(source, withoutRepeats(findings));
}

function* readLevel(level: Level, value: unknown, place: Place): Generator<Finding> {
  if (level.setting !== undefined) {
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
  const known = key === "*" ? undefined : level.members.get(key);
  const named = level.members.get("*");
  if (known !== undefined) {
    yield* readLevel(known, value, below(place, key));
  } else if (named !== undefined) {
    yield* readNamed(named, key, value, place);
  } else if (!key.startsWith("//")) {
    // JSON has no comments: people write them as members that begin like one.
    yield faultAt(below(place, key), "is not a setting and is ignored");
  }
}

function* readNamed(level: Level, name: string, value: unknown, place: Place): Generator<Finding> {
  const at = { ...below(place, name), pattern: `${place.pattern}.<name>`, name };
  if (!isName(name)) {
    yield faultAt(at, "is left out: a name has at most 64 letters, digits, dots, dashes and underscores");
    return;
  }
  if (at.pattern === "a2a.peers.<name>" && isObject(value)) yield { peer: name };
  yield* readLevel(level, value, at);
}

function* readSetting(setting: Setting, value: unknown, place: Place): Generator<Finding> {
  const finding = judge(setting, readJsonValue(setting, value), {
    source: place.source,
    place: setting.wired ? place.path : place.pattern,
    name: place.name,
    shown: describeFor(setting, value),
  });
  if (finding !== undefined) yield finding;
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

function levelOf(settings: readonly KeyedSetting[]): Level {
  const ends = settings.find(([path]) => path.length === 0);
  if (ends !== undefined) return { setting: ends[1], wired: ends[1].wired, members: new Map() };
  const groups = new Map<string, KeyedSetting[]>();
  for (const [[first = "", ...rest], setting] of settings) {
    groups.set(first, [...(groups.get(first) ?? []), [rest, setting]]);
  }
  const members = new Map([...groups].map(([name, group]) => [name, levelOf(group)]));
  return { setting: undefined, wired: [...members.values()].some((member) => member.wired), members };
}
