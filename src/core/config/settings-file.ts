// Owns reading a Pi settings file (strict JSON, as Pi reads it) and taking the `a2a` value out of it. Never writes.

import { describeError, isA2aError } from "../platform/errors.ts";
import type { FilesPort } from "../platform/files.ts";
import { isObject, parseJson } from "../platform/json.ts";
import { describeValue } from "./describe-value.ts";
import { layerFromFile } from "./file-layer.ts";
import { findJsonFault } from "./json-fault.ts";
import { createLayer, type Layer } from "./layer.ts";

const MAX_BYTES = 4 * 1024 * 1024;

type Parsed = { readonly value: unknown } | { readonly problem: string };

/** Pi takes a missing or an empty file for one without settings. */
const NO_SETTINGS: Parsed = { value: {} };

/** The layer of the file at `path`: empty when there is none, and with one fault when it cannot be used. */
export async function layerFromSettingsFile(files: FilesPort, path: string): Promise<Layer> {
  const parsed = await readParsed(files, path);
  if ("problem" in parsed)
    return unusable(path, `${parsed.problem}; nothing in the file is used until it is corrected`);
  const { value } = parsed;
  if (!isObject(value)) return unusable(path, `holds ${describeValue(value)}, not an object; nothing in it is used`);
  return layerFromFile(path, value.a2a);
}

async function readParsed(files: FilesPort, path: string): Promise<Parsed> {
  try {
    const text = await files.readText(path, { maxBytes: MAX_BYTES, isWhole });
    return text === undefined || text.trim() === "" ? NO_SETTINGS : parse(text);
  } catch (error) {
    return { problem: describeError(error) };
  }
}

/** Pi empties the file before it writes it: a text that does not parse may be half of one. */
function isWhole(text: string): boolean {
  return !("problem" in parse(text));
}

function parse(text: string): Parsed {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    // The scan counts columns in the text that is parsed, which is without the byte-order mark.
    const fault = isA2aError(error, "PARSE_ERROR") ? findJsonFault(text.replace(/^\ufeff/, "")) : undefined;
    if (fault === undefined) return { problem: describeError(error) };
    return { problem: `line ${fault.line}, column ${fault.column}: ${fault.problem}` };
  }
}

function unusable(source: string, problem: string): Layer {
  return createLayer(source, [{ fault: { source, place: "", problem } }]);
}
