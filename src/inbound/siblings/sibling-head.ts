// Owns what a session says of itself in the head of a request to another session of its agent folder: the secret that only processes
// of the same user can read, and who its caller is. The secret is never to be shown.

import { isObject, parseJson } from "../../core/platform/json.ts";
import type { Principal } from "../../core/ports.ts";

export const SECRET_HEADER = "x-pi-a2a-sibling";
export const CALLER_HEADER = "x-pi-a2a-caller";

export function siblingHeaders(secret: string, caller: Principal): Readonly<Record<string, string>> {
  return { [SECRET_HEADER]: secret, [CALLER_HEADER]: encodeCaller(caller) };
}

/** Header values are ASCII, and names are not. */
function encodeCaller({ key, name, asserted }: Principal): string {
  const caller = { key, name, ...(asserted === undefined ? {} : { asserted }) };
  return Buffer.from(JSON.stringify(caller), "utf8").toString("base64url");
}

/** undefined when the header names nobody. */
export function decodeCaller(header: string): Principal | undefined {
  const value = parse(Buffer.from(header, "base64url").toString("utf8"));
  if (!isObject(value) || typeof value.key !== "string" || typeof value.name !== "string") return undefined;
  const { key, name, asserted } = value;
  return typeof asserted === "string" ? { key, name, asserted } : { key, name };
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // Written by nobody of ours.
    return undefined;
  }
}
