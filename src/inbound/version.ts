// Decides which protocol version a request speaks (A2A 1.0 §3.6).

import { A2aError } from "../core/platform/errors.ts";

export type WireVersion = "1.0" | "0.3";

/**
 * The version that was asked for; undefined when none was. Only Major.Minor counts. Throws VERSION_NOT_SUPPORTED.
 */
export function readVersion(value: string | undefined): WireVersion | undefined {
  if (value === undefined) return undefined;
  switch (/^(\d+\.\d+)(?:\.\d+)?$/.exec(value)?.[1]) {
    case "1.0":
      return "1.0";
    case "0.3":
      return "0.3";
    default:
      throw new A2aError(
        "VERSION_NOT_SUPPORTED",
        `A2A-Version ${JSON.stringify(value.slice(0, 40))} is not served; send 1.0`,
        {
          metadata: { supportedVersions: "1.0" },
        },
      );
  }
}
