// Owns the password in `scheme://user:password@host`, and the key that is the user of a Sentry address.

import { HEX, HOST, runEnd, type Work } from "./chars.ts";

const MAX_LOGIN = 512;
const STAND_INS = new Set(["", "password", "passwd", "pass", "pwd", "secret", "token", "xxx", "xxxx", "***", "****"]);

export interface UrlSecret {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

/** `at` is behind `://`. */
export function urlSecret(text: string, at: number, work: Work): UrlSecret | undefined {
  const sign = lastAt(text, at, work);
  if (sign === undefined) return undefined;
  const colon = text.indexOf(":", at);
  if (colon !== -1 && colon < sign) {
    const password = text.slice(colon + 1, sign);
    return isStandIn(password) ? undefined : { kind: "url password", from: colon + 1, to: sign };
  }
  return sentryKey(text, at, sign, work);
}

/** The last `@` before the host's end. */
function lastAt(text: string, at: number, work: Work): number | undefined {
  let found: number | undefined;
  const stop = Math.min(text.length, at + MAX_LOGIN);
  let i = at;
  for (; i < stop; i++) {
    const letter = text[i] ?? "";
    if (letter === "@") found = i;
    else if ("/?#\"'`<>\\|".includes(letter)) break;
  }
  work.steps += i - at + 1;
  return found;
}

function isStandIn(password: string): boolean {
  return STAND_INS.has(password.toLowerCase()) || /^(?:\$|\{|<|%[A-Z_]{1,64}%$|\[redacted)|\$\{|\{\{/.test(password);
}

function sentryKey(text: string, at: number, sign: number, work: Work): UrlSecret | undefined {
  if (sign - at !== 32 || runEnd(text, at, HEX, sign, work) !== sign) return undefined;
  const host = text.slice(sign + 1, runEnd(text, sign + 1, HOST, sign + 256, work));
  return /(?:^|\.)sentry\./i.test(host) ? { kind: "sentry dsn", from: at, to: sign } : undefined;
}
