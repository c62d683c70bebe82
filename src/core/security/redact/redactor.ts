// Owns redaction: what leaves this machine goes through here, whole or as a stream, and comes out without secrets. The rules are in
// docs/security.md. The same rules for both: a stream gives what the whole text gives, wherever it was cut.

import type { Work } from "./chars.ts";
import { createExactStage, type Stage, spellings } from "./exact.ts";
import { KeyBlockStage } from "./key-block-stage.ts";
import { WordStage } from "./word-stage.ts";

export interface RedactorOptions {
  /** Known secrets, found wherever they stand; those of fewer than six letters are not looked for. */
  readonly secrets?: readonly string[];
  /** False: mail addresses stay everywhere. */
  readonly mail?: boolean;
  /** Counts the looks at letters. */
  readonly work?: Work;
  /** Hears the kind of everything that is replaced. */
  readonly onFinding?: (kind: string) => void;
}

export interface Redactor {
  /** Takes the next piece, returns what can be shown of the text so far and was not returned yet. */
  push(text: string): string;
  /** The rest. Nothing may be pushed after it. */
  end(): string;
}

/** One text as a stream. Memory is bounded, time linear in the text. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { secrets = [], mail = true, work = { steps: 0 }, onFinding } = options;
  const replace = (kind: string): string => {
    onFinding?.(kind);
    return `[redacted: ${kind}]`;
  };
  const stages: Stage[] = spellings(secrets).map((secret) =>
    createExactStage(secret, () => replace("configured secret"), work),
  );
  stages.push(new KeyBlockStage(work, replace), new WordStage({ work, mail, replace }));
  return {
    push: (text) => stages.reduce((passed, stage) => stage.push(passed), text),
    end: () => stages.reduce((passed, stage) => stage.push(passed) + stage.end(), ""),
  };
}

/** The whole text without secrets. */
export function redactText(text: string, options?: RedactorOptions): string {
  const redactor = createRedactor(options);
  return redactor.push(text) + redactor.end();
}

/** The kinds of secrets in a text, each once, in the order of their first appearance. */
export function findSecrets(text: string, options?: RedactorOptions): readonly string[] {
  const kinds = new Set<string>();
  redactText(text, { ...options, onFinding: (kind) => kinds.add(kind) });
  return [...kinds];
}
