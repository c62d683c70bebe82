// What a scan remembers between words. Types only.

import type { Work } from "./chars.ts";
import type { LineContext } from "./lines.ts";
import type { Asked } from "./names.ts";

/** A secret goes on where the letters that were there have ended. */
export type Drop =
  | { readonly until: "other"; readonly body: number }
  | { readonly until: "blank" }
  | { readonly until: "quote"; readonly quote: string; readonly slashes: number; readonly left: number };

export interface ScanState {
  readonly work: Work;
  readonly lines: LineContext;
  /** Mail addresses are looked for. */
  readonly mail: boolean;
  /** Announces a finding; the text that takes its place. */
  readonly replace: (kind: string) => string;
  /** The next thing is the value of a name that announces a secret. */
  asked: Asked | undefined;
  /** A type stood where the value was expected (`token: string = …`). */
  typed: Asked | undefined;
  /** Takes the place of `asked` when this word ends. */
  next: Asked | undefined;
  drop: Drop | undefined;
  /** The word ends with the text; else more of it follows. */
  final: boolean;
  /** Letters in it may spell signs, so that something may begin behind a letter. */
  spelled: boolean;
  /** The end of the word before, when only blanks are between. */
  lastWord: string;
  /** A key that ended with its line and may go on: what it is made of, and how much of it is missing. */
  more: { readonly body: number; readonly left: number } | undefined;
}
