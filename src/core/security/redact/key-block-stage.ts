// Owns private key blocks in a stream: the first line and everything that is still the key become one placeholder. Holds back what
// may be the first line, and inside a block one word.

import type { Work } from "./chars.ts";
import type { Stage } from "./exact.ts";
import { BLOCK_BEGIN, BLOCK_END, blockHead, blockTail, blockWord } from "./key-block.ts";
import { Matcher } from "./matcher.ts";

const MAX_WORD = 4096;
/** White space and decoration between a first line and its key. */
const MAX_GAP = 256;

export class KeyBlockStage implements Stage {
  readonly #work: Work;
  readonly #replace: (kind: string) => string;
  readonly #begin: Matcher;
  #out = "";
  #where: "text" | "head" | "body" | "header" | "tail" = "text";
  /** The first line, as long as no word of the key has followed; or the last line. */
  #line = "";
  /** Inside a block. */
  #word = "";
  #gap = "";

  constructor(work: Work, replace: (kind: string) => string) {
    this.#work = work;
    this.#replace = replace;
    this.#begin = new Matcher(BLOCK_BEGIN, work);
  }

  push(text: string): string {
    this.#feed(text);
    return this.#take();
  }

  end(): string {
    while (this.#word !== "") this.#endWord(true);
    if (this.#where === "head") this.#leave();
    else if (this.#where === "tail") this.#where = "text";
    else if (this.#where !== "text") this.#leave();
    this.#out += this.#begin.rest();
    return this.#take();
  }

  #take(): string {
    const out = this.#out;
    this.#out = "";
    return out;
  }

  #feed(text: string): void {
    for (let at = 0; at < text.length; ) {
      switch (this.#where) {
        case "text":
          at = this.#readText(text, at);
          break;
        case "head":
        case "tail":
          at = this.#readLine(text, at);
          break;
        case "body":
        case "header":
          at = this.#readBody(text, at);
          break;
      }
    }
  }

  #readText(text: string, from: number): number {
    const at = this.#begin.next(text, from);
    this.#out += text.slice(from, at);
    if (at === text.length) return at;
    this.#out += this.#begin.take(text[at] ?? "");
    if (this.#begin.complete) {
      this.#line = BLOCK_BEGIN;
      this.#where = "head";
    }
    return at + 1;
  }

  #readLine(text: string, at: number): number {
    const letter = text[at] ?? "";
    this.#work.steps++;
    const what = this.#where === "head" ? blockHead(this.#line, letter) : blockTail(this.#line, letter);
    if (what === "more") this.#line += letter;
    else if (what === "private") {
      this.#line += letter;
      this.#where = "body";
    } else if (this.#where === "head") this.#leave();
    else this.#where = "text";
    return what === "other" ? at : at + 1;
  }

  #readBody(text: string, from: number): number {
    const stop = Math.min(text.length, from + MAX_WORD - this.#word.length);
    let at = from;
    while (at < stop && !isSpace(text.charCodeAt(at))) at++;
    this.#word += text.slice(from, at);
    this.#work.steps += at - from + 1;
    if (this.#word.length >= MAX_WORD) {
      this.#endWord(false);
      return at;
    }
    if (at === text.length) return at;
    if (this.#word !== "") {
      this.#endWord(true);
      return at;
    }
    if (this.#gap.length >= MAX_GAP) {
      this.#leave();
      return at;
    }
    if (this.#where === "header" && text[at] === "\n") this.#where = "body";
    this.#gap += text[at];
    return at + 1;
  }

  /** Decides about a word of the block, or about the beginning of a long one. */
  #endWord(final: boolean): void {
    const word = this.#word;
    const end = word.indexOf(BLOCK_END);
    const what = this.#where === "header" ? "key" : blockWord(end === -1 ? word : word.slice(0, end), this.#work);
    this.#work.steps += word.length;
    const decoration = what === "decoration";
    const tooMuch = decoration && this.#gap.length + word.length > MAX_GAP;
    if (what === "text" || tooMuch || (decoration && end !== -1 && this.#line !== "")) {
      this.#word = "";
      this.#leave();
      this.#feed(word);
      return;
    }
    if (decoration && end === -1) {
      this.#word = "";
      this.#gap += word;
      return;
    }
    this.#drop();
    if (what === "header") this.#where = "header";
    if (end === -1) {
      // The end of the block may be half there.
      this.#word = final ? "" : word.slice(1 - BLOCK_END.length);
      return;
    }
    this.#word = "";
    this.#where = "tail";
    this.#line = "";
    this.#feed(word.slice(end + BLOCK_END.length));
  }

  #drop(): void {
    if (this.#line !== "") this.#out += this.#replace("private key");
    this.#line = "";
    this.#gap = "";
  }

  /** It was no key, or the key is over; what was held back is text, of which only the first dashes are sure to be harmless. */
  #leave(): void {
    const held = this.#line + this.#gap;
    this.#where = "text";
    this.#line = "";
    this.#gap = "";
    if (held.startsWith(BLOCK_BEGIN)) this.#out += BLOCK_BEGIN;
    this.#feed(held.startsWith(BLOCK_BEGIN) ? held.slice(BLOCK_BEGIN.length) : held);
  }
}

function isSpace(code: number): boolean {
  return code <= 32 || code === 127;
}
