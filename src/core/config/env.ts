// Owns the process environment: the one place that reads it. What its variables mean as settings is told elsewhere (./env-layer.ts).

export type Environment = Readonly<Record<string, string | undefined>>;

/** How the name of every variable begins that is a setting of ours. */
const OUR_VARIABLES = "A2A_";

/** A frozen copy of these variables. */
export function readEnvironment(names: readonly string[], env: NodeJS.ProcessEnv = process.env): Environment {
  return Object.freeze(Object.fromEntries(names.map((name) => [name, env[name]])));
}

/** Whether there is any variable that could be a setting of ours; names do not tell large letters from small on Windows. */
export function hasOurVariables(env: NodeJS.ProcessEnv = process.env): boolean {
  return Object.keys(env).some((name) => name.toUpperCase().startsWith(OUR_VARIABLES));
}

/** One variable as it is now, for a credential that a setting names. */
export function readVariable(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}

const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];

/** The usual proxy variables in both spellings, for the outbound port. */
export function readProxyVariables(env: NodeJS.ProcessEnv = process.env): Environment {
  return readEnvironment(
    PROXY_VARIABLES.flatMap((name) => [name, name.toLowerCase()]),
    env,
  );
}
