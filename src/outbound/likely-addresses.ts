// Owns where an agent may be when a person gives only a host, or a host and a port: likely schemes and ports, the likeliest first.
// Pure; where below an address the card may stand is in ./card-urls.ts.

import { classifyHost } from "../core/security/address.ts";

/** Pi, Hermes, Gemini CLI; then what the frameworks' own examples listen on. */
const AGENT_PORTS = [9910, 9900, 41242];
const EXAMPLE_PORTS = [8000, 8080, 9000];

/** The URLs to try; none when the text is no bare host. */
export function likelyAddresses(text: string): readonly string[] {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)(?::(\d{1,5}))?([/?][^#\s]*)?$/i.exec(
    text.trim(),
  );
  if (match === null) return [];
  const [, host = "", port, rest = ""] = match;
  const urls = port === undefined ? onUsualPorts(host) : onPort(host, port);
  return urls.map((url) => `${url}${rest}`).filter((url) => URL.canParse(url));
}

function onPort(host: string, port: string): readonly string[] {
  const http = `http://${host}:${port}`;
  const https = `https://${host}:${port}`;
  return isNear(host) ? [http, https] : [https, http];
}

function onUsualPorts(host: string): readonly string[] {
  const on = (port: number): string => `http://${host}:${port}`;
  if (isNear(host)) {
    return [...AGENT_PORTS.map(on), ...EXAMPLE_PORTS.map(on), `http://${host}`, `https://${host}`];
  }
  return [`https://${host}`, `http://${host}`, ...AGENT_PORTS.map(on)];
}

/** On this machine or in its network, where few agents have a certificate. */
function isNear(host: string): boolean {
  const kind = classifyHost(host);
  if (kind !== "name") return kind !== "public";
  return !host.includes(".") || /\.(local|lan|home|internal|home\.arpa)$/i.test(host);
}
