// Owns where a JSON text is broken and what people usually did there: JSON.parse names no line. Accepts exactly what
// JSON.parse accepts, in one pass without recursion.

export interface JsonFault {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly problem: string;
}

type State = "value" | "first value" | "next value" | "first name" | "next name" | "colon" | "after value";

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const UNICODE_ESCAPE = /u[0-9a-fA-F]{4}/y;

const EXPECTED: Readonly<Record<State, string>> = {
  value: "expected a value",
  "first value": "expected a value",
  "next value": "expected a value",
  "first name": "expected a name in double quotes",
  "next name": "expected a name in double quotes",
  colon: "expected a colon",
  "after value": "expected a comma or the end of what is open",
};

/** The first fault of the text, or undefined when JSON.parse takes it. */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: string[] = [];
  let state: State = "value";
  let at = 0;
  const fault = (index: number, problem: string): JsonFault => ({ ...placeOf(text, index), problem });

  for (;;) {
    at += matchLength(SPACE, text, at);
    if (state === "after value" && open.length === 0) {
      return at === text.length ? undefined : fault(at, "there is more after the end of the JSON value");
    }
    if (at >= text.length) return fault(at, "the text ends too early");
    const step = takeStep(text, at, state, open.at(-1));
    if ("problem" in step) return fault(step.at, step.problem);
    if (step.opens !== undefined) open.push(step.opens);
    if (step.closes) open.pop();
    at += step.length;
    state = step.next;
  }
}

interface Step {
  readonly length: number;
  readonly next: State;
  readonly opens?: string;
  readonly closes?: boolean;
}

interface Stop {
  readonly at: number;
  readonly problem: string;
}

/** One token in the given state; `inside` is the innermost open bracket. */
function takeStep(text: string, at: number, state: State, inside: string | undefined): Step | Stop {
  const char = text[at] ?? "";
  switch (state) {
    case "first name":
    case "first value":
      if (char === closing(inside)) return { length: 1, next: "after value", closes: true };
      return state === "first name" ? takeName(text, at, state) : takeValue(text, at, state);
    case "next name":
      return takeName(text, at, state);
    case "value":
    case "next value":
      return takeValue(text, at, state);
    case "colon":
      return char === ":" ? { length: 1, next: "value" } : { at, problem: explain(char, state) };
    case "after value":
      if (char === ",") return { length: 1, next: inside === "{" ? "next name" : "next value" };
      if (char === closing(inside)) return { length: 1, next: "after value", closes: true };
      return { at, problem: explain(char, state) };
    default:
      return state satisfies never;
  }
}

function takeName(text: string, at: number, state: State): Step | Stop {
  if (text[at] !== '"') return { at, problem: explain(text[at] ?? "", state) };
  return takeString(text, at, "colon");
}

function takeValue(text: string, at: number, state: State): Step | Stop {
  const char = text[at] ?? "";
  if (char === '"') return takeString(text, at, "after value");
  if (char === "{") return { length: 1, next: "first name", opens: char };
  if (char === "[") return { length: 1, next: "first value", opens: char };
  const length = matchLength(NUMBER, text, at) || matchLength(WORD, text, at);
  return length > 0 ? { length, next: "after value" } : { at, problem: explain(char, state) };
}

function takeString(text: string, start: number, next: State): Step | Stop {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === '"') return { length: at + 1 - start, next };
    if (char < " ") return { at, problem: "a line break or control letter inside a string" };
    if (char !== "\\") continue;
    const escaped = text[at + 1] ?? "";
    if (escaped === "u" ? matchLength(UNICODE_ESCAPE, text, at + 1) === 0 : !'"\\/bfnrt'.includes(escaped)) {
      return { at, problem: "a backslash inside a string has to be doubled" };
    }
    at += 1;
  }
  return { at: start, problem: "a string that begins here does not end" };
}

function explain(char: string, state: State): string {
  if (char === "/" || char === "#") return "JSON has no comments; remove it";
  if (char === "'") return "strings stand in double quotes";
  const afterComma = state === "next name" || state === "next value";
  return afterComma && (char === "}" || char === "]") ? "a comma before a closing bracket" : EXPECTED[state];
}

function closing(inside: string | undefined): string | undefined {
  return inside === "{" ? "}" : inside === "[" ? "]" : undefined;
}

function matchLength(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

function placeOf(text: string, index: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { line, column: index - start + 1 };
}
