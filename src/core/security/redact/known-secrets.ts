// Owns which values of the settings are secrets that must not leave: those of the rows that the schema calls secret.

import { SETTINGS } from "../../config/schema.ts";
import type { Settings } from "../../config/settings.ts";
import { announcedBy } from "./names.ts";

const PATHS = SETTINGS.filter(({ secret }) => secret).map(({ key }) => key.split("."));

export function secretsOf(settings: Settings): readonly string[] {
  return PATHS.flatMap((path) => valuesAt(settings, path, "")).flatMap(asSent);
}

/** A login, and what it becomes where it is sent as `user:password`: that in base64, and the password alone. */
export function asSent(secret: string): readonly string[] {
  const colon = secret.indexOf(":");
  if (colon === -1) return [secret];
  return [secret, Buffer.from(secret, "utf8").toString("base64"), secret.slice(colon + 1)];
}

/** Every text at the path, in which `*` stands for any name. */
function valuesAt(value: unknown, path: readonly string[], name: string): readonly string[] {
  const [head, ...rest] = path;
  if (typeof value === "string") return head === undefined ? [secretIn(value, name)] : [];
  if (typeof value !== "object" || value === null) return [];
  const members = Object.entries(value).filter(([member]) => head === undefined || head === "*" || head === member);
  // Of further headers only those that are logins by their name: others hold words that texts hold too.
  const meant = name === "headers" ? members.filter(([member]) => announcedBy(member, ":") !== undefined) : members;
  return meant.flatMap(([member, item]) => valuesAt(item, rest, member));
}

/** Without the scheme of an `Authorization` header. */
function secretIn(value: string, name: string): string {
  return /^(?:proxy-)?authorization$/i.test(name) ? value.replace(/^[A-Za-z]{1,20} /, "") : value;
}
