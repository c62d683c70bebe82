// Owns the secrets that are known letter by letter: each occurrence is replaced, whatever stands around it. A stage of a stream that
// holds back only what may be the beginning of its secret.

import type { Work } from "./chars.ts";
import { Matcher } from "./matcher.ts";

export interface Stage {
  push(text: string): string;
  end(): string;
}

/** Words of everyday language would be replaced all over a text. */
const MIN_LENGTH = 6;

/** The secrets and how they are spelled in JSON and in URLs, the longest first; short ones are left out. */
export function spellings(secrets: readonly string[]): readonly string[] {
  const all = secrets
    .filter((secret) => secret.length >= MIN_LENGTH)
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.replace(/\p{Cs}/gu, "\ufffd")),
    ]);
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}

export function createExactStage(secret: string, replacement: () => string, work: Work): Stage {
  const matcher = new Matcher(secret, work);
  return {
    push(text) {
      let out = "";
      for (let at = 0; at < text.length; at++) {
        const next = matcher.next(text, at);
        out += text.slice(at, next);
        at = next;
        if (at === text.length) break;
        out += matcher.take(text[at] ?? "");
        if (matcher.complete) out += replacement();
      }
      return out;
    },
    end: () => matcher.rest(),
  };
}
