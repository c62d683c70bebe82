// Owns which URLs go through a proxy of the environment. Pure: the variables come in as data (core/config/env.ts reads them).

export interface ProxySettings {
  readonly http?: string;
  readonly https?: string;
  /** Hosts that are called directly: names, `.suffix`, `*.suffix`, `host:port`, `*`. */
  readonly noProxy?: string;
}

/** Takes the usual variables; the lower-case name wins, and an https URL uses the http proxy when it has none of its own. */
export function proxySettings(variables: Readonly<Record<string, string | undefined>>): ProxySettings {
  const value = (name: string): string | undefined => {
    const text = (variables[name.toLowerCase()] ?? variables[name])?.trim();
    return text === "" ? undefined : text;
  };
  const http = value("HTTP_PROXY");
  const https = value("HTTPS_PROXY") ?? http;
  const noProxy = value("NO_PROXY");
  return {
    ...(http === undefined ? {} : { http }),
    ...(https === undefined ? {} : { https }),
    ...(noProxy === undefined ? {} : { noProxy }),
  };
}

/** True when the variables name a proxy for this URL; private and loopback hosts are the caller's own exception. */
export function proxyApplies(url: URL, settings: ProxySettings): boolean {
  const proxy = url.protocol === "https:" ? settings.https : settings.http;
  if (proxy === undefined) return false;
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  const entries = (settings.noProxy ?? "").toLowerCase().split(/[\s,]+/);
  return !entries.some((entry) => entry !== "" && covers(entry, url.hostname, port));
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  const [, name = entry, onlyPort] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  const suffix = name.replace(/^\*?\./, "");
  return host === suffix || host.endsWith(`.${suffix}`);
}
