// The settings schema as one list of plain data: each row of the table with its key and what people are told of it.

import { ROWS, type SettingKey } from "./schema-rows.ts";
import { type SettingText, TEXTS } from "./schema-texts.ts";
import type { SettingRow } from "./setting-row.ts";

export type Setting = SettingRow & SettingText & { readonly key: SettingKey };

/** Every setting, in the order of the documentation. */
export const SETTINGS: readonly Setting[] = settingKeys().map((key) => ({ key, ...TEXTS[key], ...ROWS[key] }));

function settingKeys(): readonly SettingKey[] {
  return Object.keys(ROWS).filter(isSettingKey);
}

function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(ROWS, key);
}
