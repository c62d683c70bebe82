// Owns changing single values inside a JSON text while every other byte stays: order, indentation, line ends, the byte-order mark.
// The text must be valid JSON with an object at its root. One pass over it for each edit.

import { isDeepStrictEqual } from "node:util";
import { A2aError } from "../platform/errors.ts";
import { isObject } from "../platform/json.ts";

export interface JsonEdit {
  /** Names of members, from the root. */
  readonly path: readonly string[];
  /** Undefined removes the member. */
  readonly value: unknown;
}

interface Member {
  readonly key: string;
  readonly start: number;
  readonly keyEnd: number;
  readonly valueStart: number;
  readonly end: number;
}

interface ObjectSpan {
  /** Index of the opening brace. */
  readonly open: number;
  /** Index of the closing brace. */
  readonly close: number;
  readonly members: readonly Member[];
}

const SPACE = /[\s\ufeff]*/y;
const SCALAR = /[^\s,\]}]+/y;

/** The text with the edits in it. Throws CONFIG_INVALID where something that is no object stands in an edit's way. */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  let edited = text;
  let wanted = parsed(text);
  for (const { path, value } of edits) {
    edited = value === undefined ? removeMember(edited, path) : setMember(edited, path, value);
    wanted = withValue(wanted, path, value === undefined ? undefined : parsed(JSON.stringify(value)));
  }
  // A slip here would cost the person their settings.
  if (!isDeepStrictEqual(parsed(edited), wanted)) throw new A2aError("INTERNAL", "the edited text says something else");
  return edited;
}

function setMember(text: string, path: readonly string[], value: unknown): string {
  let open = endOf(SPACE, text, 0);
  for (let depth = 0; ; depth++) {
    const span = objectAt(text, open);
    const [key = "", ...rest] = path.slice(depth);
    const member = span.members.findLast((one) => one.key === key);
    if (member === undefined) return insert(text, span, key, nested(rest, value));
    const isNull = text.slice(member.valueStart, member.end) === "null";
    if (rest.length === 0 || isNull) {
      const written = write(text, nested(rest, value), lineIndent(text, member.start));
      return text.slice(0, member.valueStart) + written + text.slice(member.end);
    }
    open = needObject(text, member, path.slice(0, depth + 1));
  }
}

function removeMember(text: string, path: readonly string[]): string {
  let open = endOf(SPACE, text, 0);
  for (const [depth, key] of path.entries()) {
    const { members } = objectAt(text, open);
    const member = members.findLast((one) => one.key === key);
    if (member === undefined || text.slice(member.valueStart, member.end) === "null") {
      return member !== undefined && depth === path.length - 1 ? cutAll(text, open, key) : text;
    }
    if (depth === path.length - 1) return cutAll(text, open, key);
    open = needObject(text, member, path.slice(0, depth + 1));
  }
  return text;
}

/** A name that is written twice goes twice, else its first value would come back. */
function cutAll(text: string, open: number, key: string): string {
  for (let rest = text; ; ) {
    const span = objectAt(rest, open);
    const at = span.members.findLastIndex((one) => one.key === key);
    if (at === -1) return rest;
    const [from, to] = cutOf(span, at);
    rest = rest.slice(0, from) + rest.slice(to);
  }
}

/** The member with one comma; with the blanks of its lines too when it is the only one. */
function cutOf({ open, close, members }: ObjectSpan, at: number): readonly [from: number, to: number] {
  const [before, member, after] = [members[at - 1], members[at], members[at + 1]];
  if (member === undefined) return [close, close];
  if (after !== undefined) return [member.start, after.start];
  return before === undefined ? [open + 1, close] : [before.end, member.end];
}

function insert(text: string, span: ObjectSpan, key: string, value: unknown): string {
  const last = span.members.at(-1);
  return last === undefined ? insertFirst(text, span, key, value) : insertAfter(text, span, last, key, value);
}

function insertFirst(text: string, { open, close }: ObjectSpan, key: string, value: unknown): string {
  const outer = lineIndent(text, open);
  const alone = text.slice(0, open).trim() === "" && text.slice(close + 1).trim() === "";
  if (!alone && !text.includes("\n")) {
    return `${text.slice(0, open + 1)}${JSON.stringify(key)}:${JSON.stringify(value)}${text.slice(close)}`;
  }
  const { line, unit } = styleOf(text);
  const inner = outer + unit;
  const member = `${line}${inner}${JSON.stringify(key)}: ${pretty(value, inner, line, unit)}`;
  return `${text.slice(0, open + 1)}${member}${line}${outer}${text.slice(close)}`;
}

function insertAfter(text: string, span: ObjectSpan, last: Member, key: string, value: unknown): string {
  const previous = span.members.at(-2);
  const before = text.slice((previous === undefined ? span.open : text.indexOf(",", previous.end)) + 1, last.start);
  const ownLine = before.includes("\n");
  const colon = text.slice(last.keyEnd, last.valueStart);
  const indent = lineIndent(text, last.start);
  const gap = ownLine ? styleOf(text).line + indent : inlineGap(span, before, colon);
  const written = ownLine ? write(text, value, indent) : JSON.stringify(value);
  const member = `${JSON.stringify(key)}${colon.includes("\n") ? ": " : colon}${written}`;
  return `${text.slice(0, last.end)},${gap}${member}${text.slice(last.end)}`;
}

/** What stands between members on one line; of a single member only the colon tells how its writer spaces. */
function inlineGap({ members }: ObjectSpan, before: string, colon: string): string {
  if (members.length > 1) return before;
  return colon.endsWith(" ") ? " " : "";
}

/** On as many lines as the text around it has. */
function write(text: string, value: unknown, indent: string): string {
  if (!text.trim().includes("\n")) return JSON.stringify(value);
  const { line, unit } = styleOf(text);
  return pretty(value, indent, line, unit);
}

function pretty(value: unknown, indent: string, line: string, unit: string): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", line + indent);
}

/** Line end and indentation of the text's first indented line. */
function styleOf(text: string): { readonly line: string; readonly unit: string } {
  const [, end = "\n", unit = "  "] = /(\r?\n)([ \t]+)\S/.exec(text) ?? /(\r?\n)/.exec(text) ?? [];
  return { line: end, unit };
}

/** The blanks that the line of `at` begins with. */
function lineIndent(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? "";
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function needObject(text: string, member: Member, path: readonly string[]): number {
  if (text[member.valueStart] === "{") return member.valueStart;
  throw new A2aError("CONFIG_INVALID", `${path.join(".")} is not an object, and is not overwritten`, {
    hint: "Correct or remove it in the file, then save again.",
  });
}

function objectAt(text: string, open: number): ObjectSpan {
  const members: Member[] = [];
  for (let at = endOf(SPACE, text, open + 1); text[at] !== "}"; ) {
    const keyEnd = endOfString(text, at);
    const valueStart = endOf(SPACE, text, endOf(SPACE, text, keyEnd) + 1);
    const end = endOfValue(text, valueStart);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    members.push({ key: String(key), start: at, keyEnd, valueStart, end });
    const next = endOf(SPACE, text, end);
    at = text[next] === "," ? endOf(SPACE, text, next + 1) : next;
    if (at >= text.length) throw new A2aError("INTERNAL", "the text is not valid JSON");
    if (text[at] === "}") return { open, close: at, members };
  }
  return { open, close: endOf(SPACE, text, open + 1), members };
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] !== "{" && text[start] !== "[") return endOf(SCALAR, text, start);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') at = endOfString(text, at) - 1;
    else if (letter === "{" || letter === "[") depth += 1;
    else if (letter === "}" || letter === "]") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** Behind the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

function parsed(text: string): unknown {
  return JSON.parse(text.replace(/^\ufeff/, ""));
}

/** A copy with the value at the path, or without it. */
function withValue(from: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const members = isObject(from) ? from : {};
  if (value !== undefined) return { ...members, [key]: withValue(members[key], rest, value) };
  if (!Object.hasOwn(members, key) || (rest.length > 0 && !isObject(members[key]))) return from;
  if (rest.length > 0) return { ...members, [key]: withValue(members[key], rest, value) };
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== key));
}
