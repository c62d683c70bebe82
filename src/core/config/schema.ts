// The settings schema as one list of plain data: each row of the table with its key, what people are told of it, and whether
// it has an effect.

import { LATER } from "./later-keys.ts";
import { ROWS, type SettingKey } from "./schema-rows.ts";
import { type SettingText, TEXTS } from "./schema-texts.ts";
import type { SettingRow } from "./setting-row.ts";

export type Setting = SettingRow &
  SettingText & {
    readonly key: SettingKey;
    /** False while the part that would read it is not built; a value is then refused politely. */
    readonly wired: boolean;
  };

/** Every setting, in the order of the documentation. */
export const SETTINGS: readonly Setting[] = settingKeys().map((key) => ({
  key,
  ...TEXTS[key],
  ...ROWS[key],
  wired: LATER[key] === undefined,
}));

/** The setting of this key. */
export function settingOf(key: SettingKey): Setting | undefined {
  return SETTINGS.find((setting) => setting.key === key);
}

function settingKeys(): readonly SettingKey[] {
  return Object.keys(ROWS).filter(isSettingKey);
}

function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(ROWS, key);
}
