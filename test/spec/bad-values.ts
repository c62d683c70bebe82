// Makes the values that a field is tried with, and says of each whether it must be taken or what the error must name.

import type { Field, Kind } from "./fields.ts";
import { hostileTexts } from "./hostile-texts.ts";

export interface Sample {
  /** For messages of the test. */
  readonly label: string;
  readonly params: unknown;
  /** The path that the error names; absent when the value is taken. */
  readonly refusedAt?: string;
  /** The code with which it is answered although it is taken, because it names nothing that is there. */
  readonly answer?: number;
}

/** Stands in JSON text for a number that JSON.stringify cannot write. */
export const HUGE_NUMBER = "@@huge-number@@";

const OF_EACH_TYPE: readonly unknown[] = ["x", 7, true, ["x"], { x: 1 }];
const ABSENT = Symbol("absent");

type Value = { readonly value: unknown } & ({ readonly taken: true } | { readonly refusedAt: string });

/** The params of one method with `field` set to each value in turn. */
export function samplesOf(field: Field, params: () => Record<string, unknown>): Sample[] {
  return valuesOf(field).map((sample) => {
    const { value } = sample;
    const changed = Object.entries(field.among ?? {}).reduce<unknown>(
      (whole, [path, beside]) => withValue(whole, path, structuredClone(beside)),
      params(),
    );
    const answer = "taken" in sample && value !== "" && typeof value === "string" ? field.names : undefined;
    return {
      label: `${field.path || "params"} = ${short(value)}`,
      params: withValue(changed, field.path, value),
      ...("taken" in sample ? {} : { refusedAt: sample.refusedAt }),
      ...(answer === undefined ? {} : { answer }),
    };
  });
}

function valuesOf(field: Field): Value[] {
  const { path, kind, missing } = field;
  const own = path === "" ? "params" : path;
  const unset: Value["value"][] = kind.type === "json" ? [ABSENT] : /\]$/.test(path) ? [null] : [ABSENT, null];
  const values = [
    ...unset.map((value) => (missing === undefined ? taken(value) : refused(value, missing))),
    ...OF_EACH_TYPE.filter((value) => !isOfType(kind, value)).map((value) => refused(value, own)),
    ...valuesOfKind(field, own),
  ];
  return field.good === undefined ? values : [...values, taken(field.good)];
}

function valuesOfKind(field: Field, own: string): Value[] {
  const { kind } = field;
  switch (kind.type) {
    case "text":
      return textValues(field, kind, own);
    case "integer": {
      const { min, max } = kind;
      const bad = [min - 1, max + 1, min + 0.5, -1e300, 2 ** 53, `${max + 1}`, `${min}.5`, "", " 1", "0x1", "1e1"];
      return [
        ...[...bad, HUGE_NUMBER, "9".repeat(400), "\u0661"].map((value) => refused(value, own)),
        ...[min, max, String(min), String(max)].map(taken),
      ];
    }
    case "enum":
      return [
        ...kind.taken.map(taken),
        ...kind.refused.map((value) => refused(value, own)),
        ...hostileTexts().map((value) => refused(value, own)),
      ];
    case "boolean":
      return [taken(true), taken(false), ...["true", "false", "", 0, 1].map((value) => refused(value, own))];
    case "map":
      return [taken({}), taken(hostileMap()), refused({ a: [HUGE_NUMBER] }, own)];
    case "object":
      return field.empty === undefined ? [] : [refused({}, field.empty)];
    case "list": {
      const full = Array.from({ length: kind.max }, () => kind.entry);
      const empty = field.empty === undefined ? taken([]) : refused([], field.empty);
      return [empty, taken(full), refused([...full, kind.entry], own)];
    }
    case "base64":
      return [
        ...["", "QQ", "-_-_", "+/+/+w=="].map(taken),
        ...[
          "!",
          "Q",
          "QQ=",
          "QQ===",
          "=",
          "Q Q=",
          "QQ==\n",
          ...hostileTexts().filter((text) => /[^\w+/=-]/.test(text)),
        ].map((value) => refused(value, own)),
      ];
    case "json":
      return [...OF_EACH_TYPE, null, hostileMap()].map(taken).concat([refused({ a: HUGE_NUMBER }, own)]);
    default:
      return kind satisfies never;
  }
}

function textValues({ empty, good }: Field, kind: Extract<Kind, { type: "text" }>, own: string): Value[] {
  const { max, only } = kind;
  const judged = (value: string): Value =>
    only === undefined || only.test(value) ? taken(value) : refused(value, own);
  const none =
    kind.empty === "refused" ? refused("", empty ?? own) : empty === undefined ? taken("") : refused("", empty);
  const filler = "x";
  const base = typeof good === "string" && only !== undefined ? good : "";
  const long = (length: number): string => base + filler.repeat(length - base.length);
  const sized = max === undefined ? [judged(long(100_000))] : [judged(long(max)), refused(long(max + 1), own)];
  // Fields share what reads them: each gets a third of the texts that are taken, and all fields together get every one.
  const share = (value: Value, index: number): boolean => "refusedAt" in value || index % 3 === own.length % 3;
  return [none, ...sized, ...hostileTexts().map(judged).filter(share)];
}

/** The types that are read; whole numbers may also come as strings, which have rows of their own. */
function isOfType({ type }: Kind, value: unknown): boolean {
  switch (type) {
    case "text":
    case "base64":
      return typeof value === "string";
    case "integer":
      return typeof value === "number";
    case "enum":
      return typeof value === "number" || typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "map":
    case "object":
      return typeof value === "object" && !Array.isArray(value);
    case "list":
      return Array.isArray(value);
    case "json":
      return true;
    default:
      return type satisfies never;
  }
}

function hostileMap(): object {
  return Object.fromEntries(hostileTexts().map((text) => [text, { [text]: [text, null, 1.5] }]));
}

function taken(value: unknown): Value {
  return { value, taken: true };
}

function refused(value: unknown, refusedAt: string): Value {
  return { value, refusedAt };
}

/** A copy of `whole` with the value at `path`; ABSENT takes it out. */
function withValue(whole: unknown, path: string, value: unknown): unknown {
  if (path === "") return value === ABSENT ? undefined : value;
  const steps = path.split(/[.[\]]+/).filter((step) => step !== "");
  const [first = "", ...rest] = steps;
  const copy: Record<string, unknown> = Array.isArray(whole) ? (whole.slice() as never) : { ...(whole as object) };
  if (rest.length > 0) copy[first] = withValue(copy[first], rest.join("."), value);
  else if (value === ABSENT) delete copy[first];
  else copy[first] = value;
  return copy;
}

function short(value: unknown): string {
  if (value === ABSENT) return "nothing";
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 80 ? `${text.slice(0, 80)}… (${text.length})` : text;
}
