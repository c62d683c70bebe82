// Owns the judgement over loaded settings: of all that a file says, every value counts or is named in a warning. Looks at the files
// with eyes of its own, so that a loader which overlooks something does not judge itself.

import { describeKey } from "../../src/core/config/describe-value.ts";
import { readJsonValue } from "../../src/core/config/read-value.ts";
import { SETTINGS, type Setting } from "../../src/core/config/schema.ts";
import type { LoadedSettings } from "../../src/core/config/settings.ts";
import { isRecord } from "./json.ts";

type Files = Readonly<Record<"global" | "repository" | "envFile", string>>;

/** What a value is, and by which names it may have been told of. */
interface Place {
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** What was neither taken nor told, one line each. */
export function untoldIn(loaded: LoadedSettings, paths: Files, texts: Files): readonly string[] {
  const told = (path: string): readonly string[] =>
    loaded.warnings.filter(({ source }) => source === path).map(({ text }) => text);
  return [
    ...untoldInFile(loaded, paths.global, texts.global, told(paths.global)),
    ...untoldInRepository(loaded, paths.repository, texts.repository, told(paths.repository)),
    ...untoldInEnvFile(loaded, paths.envFile, texts.envFile, told(paths.envFile)),
  ];
}

function untoldInFile(loaded: LoadedSettings, path: string, text: string, told: readonly string[]): readonly string[] {
  const file = parsed(text);
  if (file === undefined) return told.length > 0 ? [] : [`${path} is no JSON, and nothing says so`];
  if (!isRecord(file)) return told.length > 0 ? [] : [`${path} is no object, and nothing says so`];
  if (file.a2a === undefined || told.some((line) => /further values were not taken|nests|holds more/.test(line)))
    return [];
  return placesIn([], file.a2a).flatMap((place) => {
    const shown = ["a2a", ...place.keys.map(describeKey)].join(".");
    return isTold(place, told) || isTaken(loaded, path, place) ? [] : [`${shown} is neither taken nor told of`];
  });
}

/** Undefined when it is no JSON. */
function parsed(text: string): unknown {
  const body = text.replace(/^\ufeff/, "");
  if (body.trim() === "") return {};
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Each setting, and everything that is none, as deep as the settings go. */
function placesIn(keys: readonly string[], value: unknown): readonly Place[] {
  if (keys.at(-1)?.startsWith("//") === true || keys[0] === "projects") return [];
  const inside = SETTINGS.some(({ key }) => isBelow(key, keys));
  if (!inside || !isRecord(value)) return [{ keys, value }];
  return Object.entries(value).flatMap(([key, member]) => placesIn([...keys, key], member));
}

/** True when settings stand below the place. */
function isBelow(key: string, keys: readonly string[]): boolean {
  const steps = key.split(".");
  return steps.length > keys.length && keys.every((name, at) => steps[at] === name || steps[at] === "*");
}

function settingAt(keys: readonly string[]): Setting | undefined {
  return SETTINGS.find(({ key }) => {
    const steps = key.split(".");
    return steps.length === keys.length && steps.every((step, at) => step === keys[at] || step === "*");
  });
}

function isTaken(loaded: LoadedSettings, path: string, { keys, value }: Place): boolean {
  const setting = settingAt(keys);
  if (setting === undefined) return false;
  const reading = readJsonValue(setting, value);
  if (reading.kind === "absent") return true;
  if (reading.kind === "value" && !setting.wired) {
    return JSON.stringify(reading.value) === JSON.stringify(setting.default);
  }
  const name = keys[setting.key.split(".").indexOf("*")] ?? "";
  return loaded.find(setting.key, name)?.source === path;
}

/** The place itself or one that it stands in is named, also with names left open. */
function isTold({ keys }: Place, told: readonly string[]): boolean {
  for (let depth = keys.length; depth >= 0; depth--) {
    const some = keys.slice(0, depth);
    const plain = ["a2a", ...some.map(describeKey)].join(".");
    const open = ["a2a", ...some.map((key, at) => (at === 1 ? "<name>" : describeKey(key)))].join(".");
    const open2 = ["a2a", ...some.map((key, at) => (at === 2 ? "<name>" : describeKey(key)))].join(".");
    if (told.some((line) => [plain, open, open2].some((path) => line.includes(`: ${path} `)))) return true;
  }
  return false;
}

/** One notice names up to eight keys and counts the others: that there is one is all that is asked for. */
function untoldInRepository(
  loaded: LoadedSettings,
  path: string,
  text: string,
  told: readonly string[],
): readonly string[] {
  const file = parsed(text);
  const strange = file === undefined || !isRecord(file);
  if (strange) return told.length > 0 ? [] : [`${path} is no settings file, and nothing says so`];
  const places = file.a2a === undefined ? [] : placesIn([], file.a2a);
  const left = places.filter((place) => !isTaken(loaded, path, place));
  const dared = places.filter((place) => isTaken(loaded, path, place) && !mayBeSet(place));
  return [
    ...(left.length > 0 && told.length === 0
      ? [`${path}: ${left.length} values are not taken, and nothing says so`]
      : []),
    ...dared.map(({ keys }) => `${path} set ${keys.join(".")}`),
  ];
}

function mayBeSet({ keys, value }: Place): boolean {
  const setting = settingAt(keys);
  if (setting === undefined || readJsonValue(setting, value).kind !== "value" || !setting.wired) return true;
  return /^(?:timeouts\.\w+|peers\.\*\.(?:url|timeout|capabilities))$/.test(setting.key);
}

function untoldInEnvFile(
  loaded: LoadedSettings,
  path: string,
  text: string,
  told: readonly string[],
): readonly string[] {
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim());
  const strange = lines.filter((line) => line !== "" && !/^(?:#|(?:export\s+)?[A-Za-z_]\w*[ \t]*=)/.test(line));
  const untold = strange.length > 0 && !told.some((line) => line.includes("NAME=value"));
  return [
    ...(untold ? [`${strange.length} lines of ${path} are no assignments, and nothing says so`] : []),
    ...SETTINGS.flatMap((setting) => untoldVariable(loaded, { path, lines, told }, setting)),
  ];
}

/** Only plain values are judged: what quotes and comments leave of the others is the loader's own to say. */
function untoldVariable(
  loaded: LoadedSettings,
  { path, lines, told }: { readonly path: string; readonly lines: readonly string[]; readonly told: readonly string[] },
  setting: Setting,
): readonly string[] {
  const { env, key, wired } = setting;
  if (env === undefined || !wired) return [];
  const start = `^(?:export[ \\t]+)?${env}[ \\t]*=[ \\t]*`;
  const last = lines.findLast((line) => new RegExp(start).test(line));
  const value = new RegExp(`${start}([\\w:.,/-]+)$`).exec(last ?? "")?.[1];
  if (value === undefined) return [];
  const known = loaded.find(key)?.source === path || told.some((line) => line.includes(env));
  return known ? [] : [`${env}=${value} is neither taken nor told of`];
}
