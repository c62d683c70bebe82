// What the rest of the package is given of redaction: the rules with the secrets of the settings, which may change while it runs.

import { spellings } from "./exact.ts";
import { isPlainProse } from "./plain-prose.ts";
import { createRedactor, findSecrets, type Redactor, redactText } from "./redactor.ts";

export interface Redaction {
  /** The whole text without secrets; `onFinding` hears the kind of each. */
  text(text: string, onFinding?: (kind: string) => void): string;
  stream(): Redactor;
  /** The whole text without the longer secrets of the settings, all else as it is: for what others may repeat of ours. */
  known(text: string): string;
  /** Kinds of secrets in the text of a file, where mail addresses belong to the matter. `pause` is awaited now and then. */
  findInFile(text: string, pause: () => Promise<void>): Promise<readonly string[]>;
}

/** Work on a long text is given up after so many letters, for others to get their turn. */
const SLICE = 64 * 1024;

const KNOWN = "[redacted: configured secret]";
/** A shorter one may be a word of the protocol. */
const LONG = 12;

function isLong(secret: string): boolean {
  return secret.length >= LONG;
}

/** `secrets` is asked anew for each text. */
export function createRedaction(secrets: () => readonly string[] = () => []): Redaction {
  return {
    text(text, onFinding) {
      const known = secrets();
      if (isPlainProse(text, known)) return text;
      return redactText(text, { secrets: known, ...(onFinding ? { onFinding } : {}) });
    },
    known: (text) => spellings(secrets().filter(isLong)).reduce((left, one) => left.replaceAll(one, KNOWN), text),
    stream: () => createRedactor({ secrets: secrets() }),
    async findInFile(text, pause) {
      if (text.length <= SLICE) return findSecrets(text, { secrets: secrets(), mail: false });
      const kinds = new Set<string>();
      const redactor = createRedactor({ secrets: secrets(), mail: false, onFinding: (kind) => kinds.add(kind) });
      for (let at = 0; at < text.length; at += SLICE) {
        redactor.push(text.slice(at, at + SLICE));
        await pause();
      }
      redactor.end();
      return [...kinds];
    },
  };
}
