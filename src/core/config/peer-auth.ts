// Owns the login of one peer as the settings give it. A login that was meant and cannot be used is never none: the peer would be
// called without it, or with another one.

import { describeKey } from "./describe-value.ts";
import { type Fault, type MergedSettings, pathOf } from "./layer.ts";
import { isExchangeHeader } from "./peer-headers.ts";
import { ROWS, type SettingKey } from "./schema-rows.ts";
import { choiceOf, optionalString, stringOf } from "./setting-values.ts";
import type { PeerAuth } from "./settings.ts";

/** The text of an environment variable. */
export type Variable = (name: string) => string | undefined;

export interface BuiltAuth {
  /** Undefined when nobody wrote of a login. */
  readonly auth?: PeerAuth;
  readonly faults: readonly Fault[];
}

const SOURCES: readonly SettingKey[] = ["peers.*.auth.token", "peers.*.auth.tokenEnv", "peers.*.auth.tokenCommand"];
const NEEDED: readonly SettingKey[] = [...SOURCES, "peers.*.auth.type", "peers.*.auth.header"];

export function buildAuth(merged: MergedSettings, name: string, variable: Variable): BuiltAuth {
  const broken = brokenLogin(merged, name) ?? wrongHeader(merged, name);
  if (broken === undefined && !hasSource(merged, name)) return { faults: [] };
  const { fault, ...given } = broken === undefined ? tokenOf(merged, name, variable) : { fault: broken };
  const auth: PeerAuth = {
    type: choiceOf(merged, "peers.*.auth.type", ROWS["peers.*.auth.type"], name),
    header: stringOf(merged, "peers.*.auth.header", name),
    ...given,
    ...(fault === undefined ? {} : { missing: `${fault.place} ${fault.problem}` }),
  };
  // What could not be read was said already.
  return { auth, faults: fault === undefined || merged.faults.includes(fault) ? [] : [fault] };
}

/** The first that is there of token, variable and command. */
function tokenOf(
  merged: MergedSettings,
  name: string,
  variable: Variable,
): Pick<PeerAuth, "token" | "tokenCommand"> & { readonly fault?: Fault } {
  const token = optionalString(merged, "peers.*.auth.token", name);
  if (token !== undefined) return { token };
  const entry = merged.get("peers.*.auth.tokenEnv", name);
  const held = typeof entry?.value === "string" ? variable(entry.value)?.trim() || undefined : undefined;
  if (held !== undefined) return { token: held };
  const tokenCommand = optionalString(merged, "peers.*.auth.tokenCommand", name);
  if (entry === undefined || tokenCommand !== undefined) return tokenCommand === undefined ? {} : { tokenCommand };
  const problem = `names ${String(entry.value)}, which is not set`;
  return { fault: { source: entry.source, place: `a2a.${pathOf(entry)}`, problem } };
}

/** The fault of a value that the login needs, or of the login as a whole, when nothing else stands in its place. */
function brokenLogin(merged: MergedSettings, name: string): Fault | undefined {
  const whole = `.peers.${describeKey(name)}.auth`;
  return merged.faults.find(({ place, setting }) => {
    if (setting === undefined) return place.endsWith(whole) && !hasSource(merged, name);
    return setting.name === name && NEEDED.includes(setting.key) && merged.get(setting.key, name) === undefined;
  });
}

/** A login in the place of what the exchange needs. */
function wrongHeader(merged: MergedSettings, name: string): Fault | undefined {
  const entry = merged.get("peers.*.auth.header", name);
  if (entry === undefined || !isExchangeHeader(String(entry.value))) return undefined;
  const problem = "names a header that belongs to the exchange itself";
  return { source: entry.source, place: `a2a.${pathOf(entry)}`, problem };
}

function hasSource(merged: MergedSettings, name: string): boolean {
  return SOURCES.some((key) => merged.get(key, name) !== undefined);
}
