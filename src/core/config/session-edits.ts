// Owns the values that the person changed in this session: the strongest layer, kept in memory only.

import { createLayer, judge, type Layer, type SettingRef } from "./layer.ts";
import { type Reading, readJsonValue } from "./read-value.ts";
import { settingOf } from "./schema.ts";
import type { SettingValue } from "./setting-row.ts";

const SOURCE = "this session";

export interface SessionEdits {
  /** Takes a value that fits the setting's row; what it says of any other value is what the person has to hear. */
  set(ref: SettingRef, raw: unknown): Reading;
  /** The value of the other layers counts again. */
  unset(ref: SettingRef): void;
  layer(): Layer;
}

export function createSessionEdits(): SessionEdits {
  const values = new Map<string, SettingRef & { readonly value: SettingValue }>();
  const idOf = ({ key, name }: SettingRef): string => `${key} ${name}`;
  return {
    set(ref, raw) {
      const setting = settingOf(ref.key);
      if (setting === undefined) return { kind: "absent" };
      const reading = readJsonValue(setting, raw);
      if (reading.kind === "value") values.set(idOf(ref), { ...ref, value: reading.value });
      return reading;
    },
    unset: (ref) => void values.delete(idOf(ref)),
    layer: () => createLayer({ kind: "session", source: SOURCE }, findingsOf([...values.values()])),
  };
}

function findingsOf(edits: readonly (SettingRef & { readonly value: SettingValue })[]) {
  return edits.flatMap(({ key, name, value }) => {
    const setting = settingOf(key);
    const written = { source: SOURCE, place: key, name, shown: "the value" };
    const judged = setting === undefined ? [] : judge(setting, { kind: "value", value }, written);
    return key.startsWith("peers.*.") ? [{ peer: name }, ...judged] : judged;
  });
}
