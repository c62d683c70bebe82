// Owns how the texts of several messages become one: messages each on a line of their own, pieces of one text without anything
// between, a text that grows in its last form. Pure.

export interface Said {
  readonly messageId: string;
  readonly text: string;
  /** The peer marks it as a piece of a longer text. */
  readonly piece?: boolean;
}

/** In the order in which they came. */
export function joinTexts(said: readonly Said[]): string {
  const filled = said.filter(({ text }) => text !== "");
  if (filled.length > 1 && (filled.every(({ piece }) => piece === true) || arePieces(filled))) {
    return filled.map(({ text }) => text).join("");
  }
  const texts: string[] = [];
  let before: Said | undefined;
  for (const one of filled) {
    const last = texts.at(-1);
    if (last !== undefined && grewFrom(one.text, last)) texts.splice(-1, 1, one.text);
    else if (last !== undefined && belongsTo(one, before)) texts.splice(-1, 1, last + one.text);
    else texts.push(one.text);
    before = one;
  }
  return distinct(texts).join("\n");
}

export function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text) => text.trim() !== ""))];
}

/** Whole messages neither begin nor end with white space; where most seams have some, a model's output was cut there. */
function arePieces(said: readonly Said[]): boolean {
  let seams = 0;
  for (const [index, { text }] of said.entries()) {
    const before = said[index - 1]?.text;
    if (before !== undefined && !grewFrom(text, before) && (/\s$/.test(before) || /^\s/.test(text))) seams += 1;
  }
  return seams * 2 >= said.length - 1 && seams > 0;
}

function belongsTo(one: Said, before: Said | undefined): boolean {
  if (one.piece === true && before?.piece === true) return true;
  return one.messageId !== "" && one.messageId === before?.messageId;
}

function grewFrom(text: string, last: string): boolean {
  // The lengths first: comparing a long text once for each of its pieces would be quadratic.
  return text.length >= last.length && text.startsWith(last);
}
