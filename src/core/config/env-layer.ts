// Owns what environment variables say as a layer of settings, those of the process and those of an env file.

import { describeFor } from "./describe-value.ts";
import type { Environment } from "./env.ts";
import { createLayer, type Finding, judge, type Layer, type PeerSource } from "./layer.ts";
import { readTextValue } from "./read-value.ts";
import { SETTINGS } from "./schema.ts";

const PROCESS: PeerSource = { kind: "environment", source: "environment" };

/** The variables that the settings table names. */
export const VARIABLE_NAMES: readonly string[] = SETTINGS.flatMap((setting) => setting.env ?? []);

/** The layer of the process environment; a blank variable is not set. */
export function layerFromEnvironment(env: Environment): Layer {
  return createLayer(
    PROCESS,
    findingsInVariables(PROCESS.source, (name) => env[name]),
  );
}

/** What the variables of `source` say; only those that the settings table names are looked at. */
export function* findingsInVariables(
  source: string,
  variable: (name: string) => string | undefined,
): Generator<Finding> {
  for (const setting of SETTINGS) {
    const place = setting.env;
    const text = place === undefined ? undefined : variable(place);
    if (place === undefined || text === undefined) continue;
    const shown = describeFor(setting, text);
    yield* judge(setting, readTextValue(setting, text), { source, place, name: "", shown });
  }
}
