// Finds one pattern in a stream, letter by letter, after Knuth, Morris and Pratt: what may be the pattern is always a beginning of
// it, so its length is all there is to remember.

import type { Work } from "./chars.ts";

export class Matcher {
  readonly #pattern: string;
  readonly #borders: readonly number[];
  readonly #work: Work;
  #matched = 0;

  constructor(pattern: string, work: Work) {
    this.#pattern = pattern;
    this.#borders = bordersOf(pattern);
    this.#work = work;
  }

  /** The pattern is there as a whole; it begins anew with the next letter. */
  get complete(): boolean {
    return this.#matched === this.#pattern.length;
  }

  /** Index of the first letter from `at` on that may belong to the pattern. */
  next(text: string, at: number): number {
    if (this.#matched > 0 && !this.complete) return at;
    this.#matched = 0;
    const next = text.indexOf(this.#pattern[0] ?? "", at);
    const found = next === -1 ? text.length : next;
    this.#work.steps += found - at + 1;
    return found;
  }

  /** Takes one letter; returns those that are not part of the pattern for sure. */
  take(letter: string): string {
    if (this.complete) this.#matched = 0;
    let released = "";
    while (this.#matched > 0 && this.#pattern[this.#matched] !== letter) {
      const shorter = this.#borders[this.#matched - 1] ?? 0;
      released += this.#pattern.slice(0, this.#matched - shorter);
      this.#matched = shorter;
      this.#work.steps++;
    }
    this.#work.steps++;
    if (this.#pattern[this.#matched] !== letter) return released + letter;
    this.#matched++;
    return released;
  }

  /** What was held back, when the text has ended. */
  rest(): string {
    const rest = this.complete ? "" : this.#pattern.slice(0, this.#matched);
    this.#matched = 0;
    return rest;
  }
}

/** For each length the longest beginning of the pattern that also ends there. */
function bordersOf(pattern: string): readonly number[] {
  const borders = [0];
  for (let i = 1; i < pattern.length; i++) {
    let length = borders[i - 1] ?? 0;
    while (length > 0 && pattern[i] !== pattern[length]) length = borders[length - 1] ?? 0;
    borders.push(pattern[i] === pattern[length] ? length + 1 : 0);
  }
  return borders;
}
