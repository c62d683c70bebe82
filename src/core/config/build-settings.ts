// Owns the step from merged values to the frozen settings that the package reads, and to the warnings people see.

import { buildDiscovery } from "./build-discovery.ts";
import { buildPeers } from "./build-peers.ts";
import { buildServer, keepsServerDown } from "./build-server.ts";
import { describeValue } from "./describe-value.ts";
import { type Fault, type MergedSettings, pathOf, type SettingRef } from "./layer.ts";
import type { Variable } from "./peer-auth.ts";
import { ROWS } from "./schema-rows.ts";
import type { SettingRow } from "./setting-row.ts";
import { booleanOf, choiceOf, numberOf, stringOf } from "./setting-values.ts";
import type { LoadedSettings, Settings, SettingsWarning } from "./settings.ts";

/** Enough to see what is wrong; a file of nonsense must not fill the screen. */
const MAX_WARNINGS = 50;

/** Fills in the defaults; every fault becomes exactly one warning. */
export function buildSettings(merged: MergedSettings, variable: Variable = () => undefined): LoadedSettings {
  const { peers, faults: peerFaults } = buildPeers(merged, variable);
  const { server, faults: serverFaults } = buildServer(merged);
  const faults = [...merged.faults, ...peerFaults, ...serverFaults];
  const refusals = faults
    .filter((fault) => keepsServerDown(merged, fault))
    .map((fault) => warningOf(merged, fault).text);
  const settings: Settings = {
    selfIdentity: stringOf(merged, "selfIdentity"),
    server: { ...server, refusals },
    peers,
    timeouts: {
      send: numberOf(merged, "timeouts.send"),
      async: numberOf(merged, "timeouts.async"),
      stream: numberOf(merged, "timeouts.stream"),
    },
    retryAttempts: numberOf(merged, "retryAttempts"),
    verifySsl: booleanOf(merged, "verifySsl"),
    discovery: buildDiscovery(merged),
    ui: {
      transcript: booleanOf(merged, "ui.transcript"),
      transcriptInContext: booleanOf(merged, "ui.transcriptInContext"),
      wake: choiceOf(merged, "ui.wake", ROWS["ui.wake"]),
    },
  };
  return Object.freeze({ settings: frozen(settings), warnings: frozen(warningsOf(merged, faults)), find: merged.get });
}

/** Everything in it too; settings are plain data, a few levels deep. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

/** At most 50 for each source. */
function warningsOf(merged: MergedSettings, faults: readonly Fault[]): SettingsWarning[] {
  const bySource = new Map<string, Fault[]>();
  for (const fault of faults) bySource.set(fault.source, [...(bySource.get(fault.source) ?? []), fault]);
  return [...bySource].flatMap(([source, all]) => {
    const more = all.length - MAX_WARNINGS;
    const rest = more > 0 ? [{ source, place: "", problem: `${more} further values were not taken` }] : [];
    return [...all.slice(0, MAX_WARNINGS), ...rest].map((fault) => warningOf(merged, fault));
  });
}

function warningOf(merged: MergedSettings, fault: Fault): SettingsWarning {
  const { source, place, problem, setting } = fault;
  const said = place === "" ? problem : `${place} ${problem}`;
  const instead = setting === undefined || fault.inPart === true ? "" : `; ${usedInstead(merged, setting)}`;
  return { source, key: setting === undefined ? place : pathOf(setting), text: `${source}: ${said}${instead}` };
}

function usedInstead(merged: MergedSettings, { key, name }: SettingRef): string {
  const row: SettingRow = ROWS[key];
  const entry = merged.get(key, name);
  if (entry !== undefined) return `${row.secret ? "the value" : describeValue(entry.value)} of ${entry.source} is used`;
  if (row.default === undefined) return row.unset ?? "it is left unset";
  const plain = typeof row.default === "boolean" || typeof row.default === "number";
  return `${plain ? String(row.default) : "the default"} is used`;
}
