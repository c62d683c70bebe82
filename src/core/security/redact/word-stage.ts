// Owns the stream of words: what separates them passes at once, a word when it has ended, a long one in pieces. Everything is found
// letter by letter, so the result is the same however the text is cut. Holds one word, and one line break behind what may be half a
// key; never more than a few thousand letters, and never for the time that passes.

import type { Work } from "./chars.ts";
import type { Stage } from "./exact.ts";
import { createLineContext } from "./lines.ts";
import { ask, LOOKBEHIND, scanWord } from "./scan.ts";
import type { ScanState } from "./scan-state.ts";
import { matchToken } from "./token-match.ts";

/** A longer word is decided piece by piece. */
const MAX_WORD = 4096;

export interface WordStageOptions {
  readonly work: Work;
  readonly mail: boolean;
  readonly replace: (kind: string) => string;
}

export class WordStage implements Stage {
  readonly #state: ScanState;
  #out = "";
  /** The word so far; its first `#behind` letters are done with and only looked back at. */
  #word = "";
  #behind = 0;
  #inWord = false;
  /** Blanks since the line began or the last word ended. */
  #blanks = 0;
  #lineBroke = false;
  /** Inside a colour or another terminal sequence, which separates words: behind its escape, or its bracket. */
  #sequence: "no" | "escape" | "parameters" = "no";
  /** The end of a line that may be the first half of a key, and the line break behind it. */
  #half: { readonly text: string; gap: string } | undefined;

  constructor({ work, mail, replace }: WordStageOptions) {
    this.#state = {
      work,
      mail,
      replace,
      lines: createLineContext(),
      asked: undefined,
      typed: undefined,
      next: undefined,
      drop: undefined,
      final: false,
      spelled: false,
      lastWord: "",
      more: undefined,
    };
  }

  push(text: string): string {
    for (let at = 0; at < text.length; ) at = this.#readWord(text, at);
    return this.#take();
  }

  end(): string {
    if (this.#inWord) this.#decide(true, false);
    this.#releaseHalf();
    return this.#take();
  }

  #take(): string {
    const out = this.#out;
    this.#out = "";
    return out;
  }

  #readWord(text: string, at: number): number {
    if (this.#sequence !== "no" && this.#readSequence(text, at)) return at + 1;
    const room = at + MAX_WORD - (this.#word.length - this.#behind);
    let end = at;
    while (end < text.length && end < room && isWordLetter(text.charCodeAt(end))) end++;
    this.#state.work.steps += end - at + 1;
    if (end > at) {
      this.#word += text.slice(at, end);
      this.#inWord = true;
      if (end === room) this.#decide(false, false);
      return end;
    }
    const letter = text[at] ?? "";
    if (this.#inWord) this.#decide(true, letter === "\n" || letter === "\r");
    this.#separator(letter, text.charCodeAt(at));
    if (letter === "\u001b") this.#sequence = "escape";
    return at + 1;
  }

  /** False when the letter is the first behind the sequence. */
  #readSequence(text: string, at: number): boolean {
    const letter = text[at] ?? "";
    const code = text.charCodeAt(at);
    this.#state.work.steps++;
    const belongs = this.#sequence === "escape" ? letter === "[" : code >= 0x30 && code <= 0x3f;
    const ends = this.#sequence === "parameters" && code >= 0x40 && code <= 0x7e;
    this.#sequence = belongs ? "parameters" : "no";
    if (!belongs && !ends) return false;
    if (!this.#isDropped(letter)) this.#out += letter;
    return true;
  }

  /** Decides about the word, or about as much of it as can be decided before its end. */
  #decide(final: boolean, breaks: boolean): void {
    const state = this.#state;
    state.final = final;
    const first = this.#behind === 0;
    this.#joinHalf();
    if (first) state.lines.word(this.#word, this.#blanks);
    const { out, tail, consumed } = scanWord(this.#word, Math.min(this.#behind, this.#word.length), state);
    this.#out += out;
    if (final) {
      if (tail !== "" && breaks) this.#half = { text: tail, gap: "" };
      else this.#out += tail;
      this.#word = "";
      this.#behind = 0;
      this.#inWord = false;
      this.#blanks = 0;
      this.#lineBroke = false;
      return;
    }
    const from = Math.max(0, consumed - LOOKBEHIND);
    this.#word = this.#word.slice(from);
    this.#behind = consumed - from;
  }

  #separator(letter: string, code: number): void {
    if (this.#half !== undefined && !this.#joinsGap(letter, code)) this.#releaseHalf();
    if (this.#half !== undefined) this.#half.gap += letter;
    else this.#pass(letter, code);
  }

  #pass(letter: string, code: number): void {
    if (!this.#isDropped(letter)) this.#out += letter;
    this.#note(letter, code);
  }

  /** Half a key and the other half have one line break and an indentation between them. */
  #joinsGap(letter: string, code: number): boolean {
    const gap = this.#half?.gap ?? "";
    if (code === 10) return !gap.includes("\n");
    return gap.length < 20 && (code === 13 || letter === " " || letter === "\t");
  }

  #isDropped(letter: string): boolean {
    const { drop } = this.#state;
    if (drop?.until !== "quote") return false;
    this.#state.drop = letter === "\n" || drop.left <= 1 ? undefined : { ...drop, left: drop.left - 1 };
    return letter !== "\n";
  }

  /** What a separator says about the next word. */
  #note(letter: string, code: number): void {
    const state = this.#state;
    if (letter === "\n") {
      state.asked = undefined;
      state.typed = undefined;
      state.lastWord = "";
      state.lines.newline();
      this.#blanks = 0;
      this.#lineBroke = true;
    } else if (letter === " " || letter === "\t") {
      this.#blanks++;
      if (!this.#lineBroke) state.more = undefined;
    } else if (code !== 13) {
      if (letter === "\uff1a") ask(state.lastWord, state.lastWord.length, ":", state);
      state.lastWord = "";
      state.more = undefined;
    }
  }

  #joinHalf(): void {
    const half = this.#half;
    if (half === undefined) return;
    const joined = half.text + this.#word;
    const match = this.#word === "" ? undefined : matchToken(joined, 0, this.#state.work);
    if (match === undefined || !("kind" in match)) {
      this.#releaseHalf();
      return;
    }
    this.#half = undefined;
    this.#out += this.#state.replace(match.kind);
    if (match.end === joined.length && !this.#state.final) this.#state.drop = { until: "other", body: match.body };
    this.#word = joined;
    this.#behind = match.end;
  }

  #releaseHalf(): void {
    if (this.#half === undefined) return;
    const { text, gap } = this.#half;
    this.#half = undefined;
    this.#out += text;
    for (let at = 0; at < gap.length; at++) this.#pass(gap[at] ?? "", gap.charCodeAt(at));
  }
}

/** ASCII that shows, and the letters of scripts that put spaces between words. */
function isWordLetter(code: number): boolean {
  return (code > 32 && code < 127) || (code >= 0xc0 && code <= 0x52f);
}
