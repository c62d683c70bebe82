// Reads the credentials of a request's head: `Authorization: Bearer` and `X-API-Key`, which carry the same tokens.
// Never puts what was sent into a message.

/** The tokens that were presented, each once; or why what was presented cannot be read. */
export type Credentials = { readonly tokens: readonly string[] } | { readonly problem: string };

const BEARER = /^bearer(?: +(.*))?$/i;
const LONGEST_TOKEN = 8000;

export const NO_CREDENTIALS: Credentials = { tokens: [] };

/** `rawHeaders` are header names and values in turn: a joined or dropped second header would hide that there are two. */
export function readCredentials(rawHeaders: readonly string[]): Credentials {
  const keys = valuesOf(rawHeaders, "x-api-key");
  const tokens = new Set<string>(keys);
  for (const value of valuesOf(rawHeaders, "authorization")) {
    const match = BEARER.exec(value);
    // A login of another scheme may be meant for a proxy on the way; it is no credential of this server.
    if (match === null && keys.length > 0) continue;
    if (match === null) return { problem: "of Authorization only the scheme Bearer is read" };
    tokens.add((match[1] ?? "").trim());
  }
  if (tokens.size > 1) return { problem: "several different credentials were sent" };
  for (const token of tokens) {
    if (token === "") return { problem: "an empty credential was sent" };
    if (token.length > LONGEST_TOKEN) return { problem: "the credential is too long" };
  }
  return { tokens: [...tokens] };
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) values.push((rawHeaders[index + 1] ?? "").trim());
  }
  return values;
}
