// Owns the step from merged values to the frozen settings that the package reads, and to the warnings people see.

import { describeValue } from "./describe-value.ts";
import { type Fault, type MergedSettings, pathOf, type SettingRef } from "./layer.ts";
import { type KeysWithDefault, ROWS } from "./schema-rows.ts";
import type { SettingRow } from "./setting-row.ts";
import type { LoadedSettings, PeerSettings, Settings, SettingsWarning } from "./settings.ts";

/** Fills in the defaults; every fault becomes exactly one warning. */
export function buildSettings(merged: MergedSettings): LoadedSettings {
  const { peers, faults } = buildPeers(merged);
  const settings: Settings = Object.freeze({
    server: buildServer(merged),
    peers,
    timeouts: Object.freeze({
      send: numberOf(merged, "timeouts.send"),
      async: numberOf(merged, "timeouts.async"),
      stream: numberOf(merged, "timeouts.stream"),
    }),
    discovery: Object.freeze({ enrichCard: booleanOf(merged, "discovery.enrichCard") }),
    ui: Object.freeze({ transcript: booleanOf(merged, "ui.transcript") }),
  });
  const warnings = [...merged.faults, ...faults].map((fault) => Object.freeze(warningOf(merged, fault)));
  return Object.freeze({ settings, warnings: Object.freeze(warnings) });
}

function buildServer(merged: MergedSettings): Settings["server"] {
  return Object.freeze({
    enabled: booleanOf(merged, "server.enabled"),
    port: numberOf(merged, "server.port"),
    portFallback: numberOf(merged, "server.portFallback"),
    workspace: stringOf(merged, "server.workspace"),
    agentName: stringOf(merged, "server.agentName"),
    maxConcurrent: numberOf(merged, "server.maxConcurrent"),
    replyTimeoutSec: numberOf(merged, "server.replyTimeoutSec"),
    asyncTimeoutSec: numberOf(merged, "server.asyncTimeoutSec"),
    childTranscripts: booleanOf(merged, "server.childTranscripts"),
    childTranscriptRetentionDays: numberOf(merged, "server.childTranscriptRetentionDays"),
  });
}

interface Peers {
  readonly peers: Settings["peers"];
  readonly faults: readonly Fault[];
}

function buildPeers(merged: MergedSettings): Peers {
  // Names come from models and people: a look-up of `constructor` must find nothing.
  const peers: Record<string, PeerSettings> = Object.create(null);
  const faults: Fault[] = [];
  for (const [name, source] of merged.peers) {
    const url = merged.get("peers.*.url", name)?.value;
    const timeout = merged.get("peers.*.timeout", name)?.value;
    if (typeof url === "string") {
      peers[name] = Object.freeze({ url, ...(typeof timeout === "number" ? { timeout } : {}) });
    } else if (!hasUrlFault(merged, name)) {
      faults.push({ source, place: `a2a.peers.${name}`, problem: "has no url; the peer is left out" });
    }
  }
  return { peers: Object.freeze(peers), faults };
}

function hasUrlFault(merged: MergedSettings, name: string): boolean {
  return merged.faults.some(({ setting }) => setting?.key === "peers.*.url" && setting.name === name);
}

function booleanOf(merged: MergedSettings, key: KeysWithDefault<boolean>): boolean {
  const value = merged.get(key)?.value;
  return typeof value === "boolean" ? value : ROWS[key].default;
}

function numberOf(merged: MergedSettings, key: KeysWithDefault<number>): number {
  const value = merged.get(key)?.value;
  return typeof value === "number" ? value : ROWS[key].default;
}

function stringOf(merged: MergedSettings, key: KeysWithDefault<string>): string {
  const value = merged.get(key)?.value;
  return typeof value === "string" ? value : ROWS[key].default;
}

function warningOf(merged: MergedSettings, { source, place, problem, setting }: Fault): SettingsWarning {
  const said = place === "" ? problem : `${place} ${problem}`;
  const instead = setting === undefined ? "" : `; ${usedInstead(merged, setting)}`;
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
