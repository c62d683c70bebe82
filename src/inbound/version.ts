// Decides which protocol version a request speaks (A2A 1.0 §3.6).

import { A2aError } from "../core/platform/errors.ts";

export type WireVersion = "1.0" | "0.3";

/**
 * The version that was asked for; undefined when none was. Only Major.Minor counts. Throws VERSION_NOT_SUPPORTED, and says that 0.3 is
 * supported when `legacy` is. Without it 0.3 is known all the same: no name is served in it.
 */
export function readVersion(value: string | undefined, legacy = false): WireVersion | undefined {
  if (value === undefined) return undefined;
  const version = versionIn(value);
  if (version !== undefined) return version;
  const shown = JSON.stringify(value.slice(0, 40));
  throw new A2aError("VERSION_NOT_SUPPORTED", `A2A-Version ${shown} is not served; send 1.0`, {
    metadata: { supportedVersions: legacy ? "1.0, 0.3" : "1.0" },
  });
}

/** Whether a card for this request has to be one that clients of 0.3 can read: they ask for it, or for nothing. */
export function wantsOldCard(value: string | undefined): boolean {
  return value === undefined || versionIn(value) === "0.3";
}

function versionIn(value: string): WireVersion | undefined {
  const version = /^(\d+\.\d+)(?:\.\d+)?$/.exec(value)?.[1];
  return version === "1.0" || version === "0.3" ? version : undefined;
}
