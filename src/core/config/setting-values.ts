// Owns how a merged value becomes one of its row's type: checked once more where the type alone does not say it, with the row's
// default where there is none.

import type { MergedSettings } from "./layer.ts";
import { type KeysWithDefault, ROWS, type SettingKey } from "./schema-rows.ts";

export function booleanOf(merged: MergedSettings, key: KeysWithDefault<boolean>, name?: string): boolean {
  const value = merged.get(key, name)?.value;
  return typeof value === "boolean" ? value : ROWS[key].default;
}

export function numberOf(merged: MergedSettings, key: KeysWithDefault<number>, name?: string): number {
  const value = merged.get(key, name)?.value;
  return typeof value === "number" ? value : ROWS[key].default;
}

export function stringOf(merged: MergedSettings, key: KeysWithDefault<string>, name?: string): string {
  const value = merged.get(key, name)?.value;
  return typeof value === "string" ? value : ROWS[key].default;
}

/** One of the row's choices. */
export function choiceOf<V extends string>(
  merged: MergedSettings,
  key: SettingKey,
  row: { readonly default: V; readonly values: readonly V[] },
  name?: string,
): V {
  const value = merged.get(key, name)?.value;
  return row.values.find((choice) => choice === value) ?? row.default;
}

export function stringsOf(merged: MergedSettings, key: SettingKey, name?: string): readonly string[] {
  const value = merged.get(key, name)?.value;
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Without a prototype: names come from people and peers, and a look-up of `constructor` must find nothing. */
export function mapOf(merged: MergedSettings, key: SettingKey, name?: string): Readonly<Record<string, string>> {
  const map: Record<string, string> = Object.create(null);
  for (const [each, text] of Object.entries(merged.get(key, name)?.value ?? {})) {
    if (typeof text === "string") map[each] = text;
  }
  return map;
}

/** The values of rows without a default: those that are set, under the names given. */
export function optionalBoolean(merged: MergedSettings, key: SettingKey, name?: string): boolean | undefined {
  const value = merged.get(key, name)?.value;
  return typeof value === "boolean" ? value : undefined;
}

export function optionalNumber(merged: MergedSettings, key: SettingKey, name?: string): number | undefined {
  const value = merged.get(key, name)?.value;
  return typeof value === "number" ? value : undefined;
}

export function optionalString(merged: MergedSettings, key: SettingKey, name?: string): string | undefined {
  const value = merged.get(key, name)?.value;
  return typeof value === "string" ? value : undefined;
}
