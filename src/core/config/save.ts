// Owns writing settings into the global settings file: the keys that were changed below `a2a`, nothing else, under the host's
// own lock. Never writes over a file that cannot be read as settings, and never a value that the person did not give.

import { TextDecoder } from "node:util";
import { A2aError, describeError, isA2aError } from "../platform/errors.ts";
import { isObject } from "../platform/json.ts";
import type { SharedFiles } from "../platform/shared-file.ts";
import { describeFor, describeValue } from "./describe-value.ts";
import { editJson, type JsonEdit } from "./json-edit.ts";
import { pathOf, type SettingRef } from "./layer.ts";
import { readJsonValue, wantedBy } from "./read-value.ts";
import { settingOf } from "./schema.ts";
import { MAX_SETTINGS_BYTES, parseSettings } from "./settings-file.ts";
import { fitsFormat, wantedByFormat } from "./string-formats.ts";

export type SettingsEdit =
  /** `value` undefined takes the key out of the file, so that a weaker source or the default counts again. */
  | { readonly setting: SettingRef; readonly value: unknown }
  /** Takes the peer or gateway out with everything in it. */
  | { readonly remove: "peer" | "gateway"; readonly name: string };

export interface SaveInput {
  readonly shared: SharedFiles;
  /** The global settings file; made when it is missing. */
  readonly path: string;
  readonly edits: readonly SettingsEdit[];
}

/**
 * True when the file was changed, false when it said the same already. Throws CONFIG_INVALID for a value that does not fit its
 * setting and for a file that cannot be read as settings, FILE_FAILED when it cannot be locked or written; then nothing was saved.
 */
export async function saveSettings({ shared, path, edits }: SaveInput): Promise<boolean> {
  const changes = edits.map(toJsonEdit);
  try {
    return await shared.update(path, MAX_SETTINGS_BYTES, (content) => changed(path, content, changes));
  } catch (error) {
    if (!isA2aError(error)) throw error;
    const { hint } = error;
    throw new A2aError(error.code, `the settings were not saved: ${error.message}`, { hint, cause: error });
  }
}

function toJsonEdit(edit: SettingsEdit): JsonEdit {
  if ("remove" in edit) {
    const group = edit.remove === "peer" ? ["peers"] : ["discovery", "gateways"];
    return { path: ["a2a", ...group, checkedName(edit.name)], value: undefined };
  }
  const { setting: ref, value } = edit;
  const path = ["a2a", ...ref.key.split(".").map((step) => (step === "*" ? checkedName(ref.name) : step))];
  return { path, value: value === undefined ? undefined : checkedValue(ref, value) };
}

function checkedName(name: string): string {
  if (fitsFormat("name", name)) return name;
  throw new A2aError("CONFIG_INVALID", `${describeValue(name)} is not ${wantedByFormat("name")}`);
}

/** As the loader would take it. */
function checkedValue(ref: SettingRef, value: unknown): unknown {
  const setting = settingOf(ref.key);
  const reading = setting === undefined ? undefined : readJsonValue(setting, value);
  if (reading?.kind === "value" && reading.leftOut === undefined) return reading.value;
  if (setting === undefined) throw new A2aError("CONFIG_INVALID", `there is no setting ${ref.key}`);
  const said = `${pathOf(ref)} would be ${describeFor(setting, value)}, not ${wantedBy(setting)}`;
  throw new A2aError("CONFIG_INVALID", `the settings were not saved: ${said}`);
}

function changed(path: string, content: Uint8Array | undefined, edits: readonly JsonEdit[]): Uint8Array | undefined {
  const text = content === undefined ? "" : decode(path, content);
  const parsed = parseSettings(text);
  if ("problem" in parsed) throw broken(path, parsed.problem);
  if (!isObject(parsed.value)) throw broken(path, `holds ${describeValue(parsed.value)}, not an object`);
  const isBlank = text.replace(/^\ufeff/, "").trim() === "";
  const edited = editJson(isBlank ? "{}\n" : text, edits);
  return edited === text || (isBlank && edited === "{}\n") ? undefined : Buffer.from(edited, "utf8");
}

function decode(path: string, content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    // Written back, its bytes would be others.
    throw broken(path, `is not UTF-8 text (${describeError(error)})`);
  }
}

function broken(path: string, problem: string): A2aError {
  return new A2aError("CONFIG_INVALID", `${path}: ${problem}`, {
    hint: "Correct the file, then save again; until then it stays as it is.",
  });
}
