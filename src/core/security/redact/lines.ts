// Owns where in a text mail addresses belong to the matter and stay: fenced and inline code, lines that name an author, manifests.
// Follows the text word by word; knows one line and the block it is in.

const FENCE = /^(?:`{3,}|~{3,})/;
/** `Author:`, `"maintainers":`, `Signed-off-by:`; the sign may be the next word. */
const AUTHOR =
  /^(?:authors?|maintainers?|contributors?|committer|tagger|packager|owners?|bugs|[a-z-]{2,40}-by)["'\\]{0,3}(?:[:=]|$)/i;
const MARKS = /^[^A-Za-z`~]{0,12}/;
/** A block of a manifest is a few people long. */
const MAX_BLOCK_LINES = 60;

export interface LineContext {
  /** Addresses are not touched here. */
  keepsMail(): boolean;
  /** A word, or the first piece of a long one, with the blanks before it. */
  word(word: string, blanks: number): void;
  backtick(): void;
  newline(): void;
}

export function createLineContext(): LineContext {
  let fenced = false;
  let inline = false;
  let words = 0;
  let indent = 0;
  let author: "no" | "maybe" | "yes" = "no";
  let last = "";
  let block: { readonly indent: number; lines: number } | undefined;

  const begin = (word: string): void => {
    if (block !== undefined && (indent <= block.indent || block.lines > MAX_BLOCK_LINES)) block = undefined;
    const bare = word.replace(MARKS, "");
    if (bare === "" && words < 3) return;
    if (FENCE.test(bare)) {
      fenced = !fenced;
      // Its own backticks are no inline code.
      inline = false;
      words = Number.POSITIVE_INFINITY;
      return;
    }
    const sign = AUTHOR.exec(bare)?.[0].at(-1);
    if (sign !== undefined) author = sign === ":" || sign === "=" ? "yes" : "maybe";
    words = 3;
  };

  return {
    keepsMail: () => fenced || inline || author === "yes" || block !== undefined,
    word(word, blanks) {
      last = word.slice(-8);
      if (words === 0) indent = blanks;
      if (author === "maybe") author = /^[:=]/.test(word) ? "yes" : "no";
      if (words < 3) {
        words++;
        begin(word);
      }
    },
    backtick() {
      if (!fenced && words !== Number.POSITIVE_INFINITY) inline = !inline;
    },
    newline() {
      if (block !== undefined) block.lines++;
      if (author === "yes" && /[[{:=]$/.test(last)) block = { indent, lines: 0 };
      inline = false;
      words = 0;
      indent = 0;
      author = "no";
      last = "";
    },
  };
}
