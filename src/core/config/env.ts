// Owns the process environment: the one place that reads it, and what its variables say as a layer of settings.

import { describeFor } from "./describe-value.ts";
import { createLayer, type Finding, judge, type Layer } from "./layer.ts";
import { readTextValue } from "./read-value.ts";
import { SETTINGS } from "./schema.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const SOURCE = "environment";

/** A frozen copy of the variables that the settings table names. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const names = SETTINGS.flatMap((setting) => setting.env ?? []);
  return Object.freeze(Object.fromEntries(names.map((name) => [name, env[name]])));
}

const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];

/** The usual proxy variables in both spellings, for the outbound port. */
export function readProxyVariables(env: NodeJS.ProcessEnv = process.env): Environment {
  const names = PROXY_VARIABLES.flatMap((name) => [name, name.toLowerCase()]);
  return Object.freeze(Object.fromEntries(names.map((name) => [name, env[name]])));
}

/** The layer of the environment; a blank variable is not set. */
export function layerFromEnvironment(env: Environment): Layer {
  return createLayer(SOURCE, findingsIn(env));
}

function* findingsIn(env: Environment): Generator<Finding> {
  for (const setting of SETTINGS) {
    const place = setting.env;
    const text = place === undefined ? undefined : env[place];
    if (place === undefined || text === undefined) continue;
    const shown = describeFor(setting, text);
    const finding = judge(setting, readTextValue(setting, text), { source: SOURCE, place, name: "", shown });
    if (finding !== undefined) yield finding;
  }
}
