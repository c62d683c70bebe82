// Owns the operator's `.env.local` in Pi's agent folder: variables as in the environment, one to a line. Nothing is expanded or
// run, and no value is ever shown. A `.env.local` anywhere else, above all a repository's, is never read.

import { describeError } from "../platform/errors.ts";
import type { FilesPort } from "../platform/files.ts";
import { findingsInVariables } from "./env-layer.ts";
import { createLayer, type Fault, type Layer } from "./layer.ts";

const MAX_BYTES = 256 * 1024;

const ASSIGNMENT = /^(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*/;
/** What may stand behind a closing quote. */
const NOTHING_ELSE = /^[ \t]*(?:#.*)?$/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

export interface EnvFile {
  readonly layer: Layer;
  /** The text of a variable in the file; "" when it is set to nothing. */
  variable(name: string): string | undefined;
}

export interface EnvText {
  readonly variables: ReadonlyMap<string, string>;
  /** The lines, from 1, that are neither blank, a comment, nor NAME=value. */
  readonly strangeLines: readonly number[];
}

/** The file at `path`: nothing when there is none, and one fault when it cannot be read. */
export async function readEnvFile(files: FilesPort, path: string): Promise<EnvFile> {
  try {
    const text = await files.readText(path, { maxBytes: MAX_BYTES });
    return envFile(path, parseEnvText(text ?? ""));
  } catch (error) {
    const problem = `${describeError(error)}; nothing in the file is used until it is corrected`;
    return envFile(path, { variables: new Map(), strangeLines: [] }, [
      { source: path, place: "", problem, whole: true },
    ]);
  }
}

function envFile(path: string, { variables, strangeLines }: EnvText, faults: readonly Fault[] = []): EnvFile {
  const variable = (name: string): string | undefined => variables.get(name);
  const strange = strangeFault(path, strangeLines);
  const findings = [...faults, ...strange].map((fault) => ({ fault }));
  const layer = createLayer({ kind: "env-file", source: path }, [...findings, ...findingsInVariables(path, variable)]);
  return { layer, variable };
}

function strangeFault(path: string, [first, ...more]: readonly number[]): readonly Fault[] {
  if (first === undefined) return [];
  const others = more.length === 0 ? "is" : `and ${more.length} more are`;
  return [{ source: path, place: `line ${first}`, problem: `${others} not NAME=value and count for nothing` }];
}

/** One pass over the text. A name that is set twice has its last value. */
export function parseEnvText(text: string): EnvText {
  const variables = new Map<string, string>();
  const strangeLines: number[] = [];
  text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\n|\r/)
    .forEach((raw, index) => {
      const line = raw.trim();
      if (line === "" || line.startsWith("#")) return;
      const start = ASSIGNMENT.exec(line);
      const value = start === null ? undefined : readRightSide(line.slice(start[0].length));
      if (start?.[1] === undefined || value === undefined) strangeLines.push(index + 1);
      else variables.set(start[1], value);
    });
  return { variables, strangeLines };
}

/** What stands behind the equals sign; undefined when a quote does not close, or more follows it. */
function readRightSide(text: string): string | undefined {
  const quote = text[0];
  return quote === '"' || quote === "'" || quote === "`" ? inQuotes(text, quote) : beforeComment(text);
}

function inQuotes(text: string, quote: string): string | undefined {
  let value = "";
  for (let at = 1; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (letter === quote) return NOTHING_ELSE.test(text.slice(at + 1)) ? value : undefined;
    const escaped = quote === '"' && letter === "\\" ? ESCAPES[text[at + 1] ?? ""] : undefined;
    value += escaped ?? letter;
    if (escaped !== undefined) at += 1;
  }
  return undefined;
}

/** As in a shell, a hash begins a comment only where a word could begin: tokens may hold one. */
function beforeComment(text: string): string {
  for (let at = text.indexOf("#"); at !== -1; at = text.indexOf("#", at + 1)) {
    if (at === 0 || text[at - 1] === " " || text[at - 1] === "\t") return text.slice(0, at).trimEnd();
  }
  return text;
}
