// Owns reading a Pi settings file (strict JSON, as Pi reads it) and taking the `a2a` value out of it. Never writes.

import { describeError, isA2aError } from "../platform/errors.ts";
import type { FilesPort } from "../platform/files.ts";
import { isObject, parseJson } from "../platform/json.ts";
import { describeValue } from "./describe-value.ts";
import type { FileBlock } from "./file-layer.ts";
import { findJsonFault } from "./json-fault.ts";
import type { Fault, LayerKind } from "./layer.ts";

export const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;

export interface SettingsFile {
  /** The `a2a` value; no value when there is none, or when the file cannot be used. */
  readonly block: FileBlock;
  /** Why the file cannot be used. */
  readonly faults: readonly Fault[];
}

/** `marked`: the text begins with a byte-order mark, which Pi itself does not read over. */
export type ParsedSettings = { readonly value: unknown; readonly marked?: boolean } | { readonly problem: string };

const MARKED = "begins with a byte-order mark, with which Pi itself ignores the whole file; save it without one";

/** Pi takes a missing or an empty file for one without settings. */
const NO_SETTINGS: ParsedSettings = { value: {} };

/** The file at `path`. Never throws: a file that cannot be read or parsed is one fault. */
export async function readSettingsFile(files: FilesPort, path: string, kind: LayerKind): Promise<SettingsFile> {
  const parsed = await readParsed(files, path);
  const block = { kind, source: path, path: "a2a" };
  const unusable = (problem: string, whole: boolean): SettingsFile => ({
    block: { ...block, value: undefined },
    faults: [{ source: path, place: "", problem, whole }],
  });
  if ("problem" in parsed) {
    return unusable(`${parsed.problem}; nothing in the file is used until it is corrected`, kind !== "repository");
  }
  const { value } = parsed;
  if (!isObject(value)) return unusable(`holds ${describeValue(value)}, not an object; nothing in it is used`, false);
  const faults = parsed.marked === true ? [{ source: path, place: "", problem: MARKED, whole: false }] : [];
  return { block: { ...block, value: value.a2a }, faults };
}

async function readParsed(files: FilesPort, path: string): Promise<ParsedSettings> {
  try {
    const text = await files.readText(path, { maxBytes: MAX_SETTINGS_BYTES, isWhole });
    return text === undefined ? NO_SETTINGS : parseSettings(text);
  } catch (error) {
    return { problem: describeError(error) };
  }
}

/** Pi empties the file before it writes it: a text that does not parse may be half of one. */
function isWhole(text: string): boolean {
  return text.trim() !== "" && !("problem" in parseSettings(text));
}

/** The value of the text, or line, column and what is wrong there; blank text holds no settings. */
export function parseSettings(text: string): ParsedSettings {
  const body = text.replace(/^\ufeff/, "");
  if (body.trim() === "") return NO_SETTINGS;
  try {
    return { value: parseJson(text), ...(body === text ? {} : { marked: true }) };
  } catch (error) {
    // The scan counts columns in the text that is parsed, which is without the byte-order mark.
    const fault = isA2aError(error, "PARSE_ERROR") ? findJsonFault(body) : undefined;
    if (fault === undefined) return { problem: describeError(error) };
    return { problem: `line ${fault.line}, column ${fault.column}: ${fault.problem}` };
  }
}
