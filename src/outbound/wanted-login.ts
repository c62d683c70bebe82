// Owns what a peer says of the login it wants: by its card (A2A 1.0 §4.5, also as v0.3 writes it), else by WWW-Authenticate. Pure;
// one safe line for people, "" when it says nothing.

import { isObject } from "../core/platform/json.ts";
import type { AgentCard } from "../core/protocol/types.ts";
import { oneLine } from "../core/security/sanitize.ts";

const MOST = 4;

/** Such as `a bearer token or an API key in the header X-API-Key`. */
export function loginOfCard({ securitySchemes = {} }: Pick<AgentCard, "securitySchemes">): string {
  const all = Object.values(securitySchemes).flatMap((scheme) => (isObject(scheme) ? [describeScheme(scheme)] : []));
  return [...new Set(all)].slice(0, MOST).join(" or ");
}

/** Such as `a bearer token`. */
export function loginOfHeader(header: string | undefined): string {
  const scheme = /^\s*([A-Za-z][\w-]{0,30})/.exec(header ?? "")?.[1];
  return scheme === undefined ? "" : httpLogin(scheme);
}

type Members = Readonly<Record<string, unknown>>;

function describeScheme(scheme: Members): string {
  const { httpAuthSecurityScheme: http, apiKeySecurityScheme: key } = scheme;
  if (isObject(http)) return httpLogin(textOf(http.scheme));
  if (isObject(key)) return keyLogin(textOf(key.location), textOf(key.name));
  if (scheme.type === "http") return httpLogin(textOf(scheme.scheme));
  if (scheme.type === "apiKey") return keyLogin(textOf(scheme.in), textOf(scheme.name));
  if ("oauth2SecurityScheme" in scheme || scheme.type === "oauth2") return "an OAuth 2 access token (bearer)";
  if ("openIdConnectSecurityScheme" in scheme || scheme.type === "openIdConnect") {
    return "an OpenID Connect token (bearer)";
  }
  if ("mtlsSecurityScheme" in scheme || scheme.type === "mutualTLS")
    return "a client certificate, which cannot be sent";
  return "a login of an unknown kind";
}

function httpLogin(scheme: string): string {
  if (/^bearer$/i.test(scheme)) return "a bearer token";
  if (/^basic$/i.test(scheme)) return "a user name and a password (basic)";
  return `an HTTP login of the kind ${oneLine(scheme, 30)}`;
}

function keyLogin(place: string, name: string): string {
  const shown = oneLine(name, 60);
  if (place === "" || place === "header") return `an API key in the header ${shown}`;
  return `an API key in the ${oneLine(place, 20)} ${shown}, where none can be sent`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
