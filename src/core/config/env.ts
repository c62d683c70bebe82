// Owns the process environment: the one place that reads it, and what variables say as a layer of settings.

import { describeFor } from "./describe-value.ts";
import { createLayer, type Finding, judge, type Layer, type PeerSource } from "./layer.ts";
import { readTextValue } from "./read-value.ts";
import { SETTINGS } from "./schema.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const PROCESS: PeerSource = { kind: "environment", source: "environment" };

/** A frozen copy of the variables that the settings table names. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const names = SETTINGS.flatMap((setting) => setting.env ?? []);
  return Object.freeze(Object.fromEntries(names.map((name) => [name, env[name]])));
}

/** One variable as it is now, for a credential that a setting names. */
export function readVariable(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}

const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];

/** The usual proxy variables in both spellings, for the outbound port. */
export function readProxyVariables(env: NodeJS.ProcessEnv = process.env): Environment {
  const names = PROXY_VARIABLES.flatMap((name) => [name, name.toLowerCase()]);
  return Object.freeze(Object.fromEntries(names.map((name) => [name, env[name]])));
}

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
