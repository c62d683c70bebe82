// Owns what is defused in the text of a peer before a model reads it: letters that chat templates take for their own, markup of tool
// calls, forged frames and roles, orders to drop earlier instructions. One pass; every rule looks at a bounded number of letters at
// a place where it may begin, so the time is linear. Everything else stays as it is, ordinary tags and prose too.

import { ORDERS, OVERRIDES } from "./orders.ts";

/** Counts places that were looked at, so that a test can show that they grow with the text and no faster. */
interface Work {
  steps: number;
}

interface Rule {
  readonly pattern: RegExp;
  /** Instead of the match; undefined leaves it. */
  readonly becomes: (match: RegExpExecArray, text: string, roles: Roles) => string | undefined;
}

/** How many tags of a role are open, so that the end of one is treated as its beginning was. */
type Roles = Map<string, { stayed: number; forged: number }>;

const inBrackets = (match: RegExpExecArray): string => `(${match[1] ?? ""})`;

/** At `<` and `[`. */
const MARKUP: readonly Rule[] = [
  // <|im_start|>, also with the full-width bars of some templates
  { pattern: rule("<[|\uff5c](/?[A-Za-z][\\w\u2581/-]{0,40})[|\uff5c]>"), becomes: inBrackets },
  { pattern: rule("<(/?(?:start_of_turn|end_of_turn|bos|eos))>"), becomes: inBrackets },
  { pattern: rule("<<(/?SYS)>>"), becomes: inBrackets },
  { pattern: /\[(\/?INST)\]/y, becomes: inBrackets },
  { pattern: rule("\\[(/?(?:SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS))\\]"), becomes: inBrackets },
  {
    pattern: rule(
      "<(/?(?:antml:[a-z_]{1,40}|tool_(?:calls?|use|uses|response|results?|outputs?)|function_(?:calls?|results?)|function=[\\w.-]{1,64}|" +
        "system[-_](?:reminder|prompt|message|instructions?))(?:\\s[^<>]{0,120})?)>",
    ),
    becomes: inBrackets,
  },
  { pattern: rule("<(/?)(system|assistant|developer|human|user)([ >])"), becomes: roleTag },
  { pattern: rule("\\[(/?(?:end of )?A2A (?:peer message|inbound)[^\\][\\n]{0,160})\\]"), becomes: inBrackets },
];

/** At the beginning of a line. */
const LINES: readonly Rule[] = [
  // SYSTEM: …, [system] …, **System prompt:** …
  {
    pattern: rule(
      "([ \\t]{0,8}(?:#{1,6} )?)(?:\\*\\*)?\\[?(system|assistant|developer)( (?:prompt|message|note|override|update|instructions?))?" +
        "(?:\\]:?|:\\*\\*|\\*\\*:|:)[ \\t]{0,8}",
    ),
    becomes: (match, text) =>
      givesOrders(text, match.index + match[0].length)
        ? `${match[1] ?? ""}(${match[2] ?? ""}${match[3] ?? ""}) `
        : undefined,
  },
  // --- end of user message ---, === SYSTEM PROMPT ===
  {
    pattern: rule(
      "[ \\t]{0,8}[-=*_~<[]{1,40}[ \\t]{0,4}(/?(?:(?:end|begin|start)(?: of)?(?: the)?(?: (?:a2a|peer|remote|untrusted|user|external|inbound|agent)){1,3}" +
        "(?: (?:input|message|text|content|data|prompt|request|task))?|(?:(?:end|begin|start)(?: of)? )?(?:new |trusted )?(?:system|developer|operator)" +
        " (?:prompt|message|instructions?)))[ \\t]{0,4}[-=*_~>\\]]{1,40}(?=[ \\t]{0,8}(?:\\r?\\n|$))",
    ),
    becomes: inBrackets,
  },
];

const PHRASES: readonly Rule[] = OVERRIDES.map((source) => ({ pattern: rule(source), becomes: () => "[filtered]" }));

const ORDER = rule(ORDERS);

/** How a phrase of OVERRIDES begins; keeps the longer patterns away from most words. */
const PHRASE_STARTS = rule("(?:ignore|disreg|forget|overri|bypass|you are now|your new|new |do any)");

function rule(source: string): RegExp {
  return new RegExp(source, "iy");
}

/** Everything that is run over a peer's text, for a test of how long that may take. */
export const PATTERNS: readonly RegExp[] = [
  ...[...MARKUP, ...LINES, ...PHRASES].map(({ pattern }) => pattern),
  PHRASE_STARTS,
  ORDER,
];

export function defang(text: string, work: Work = { steps: 0 }): string {
  const roles: Roles = new Map();
  let out = "";
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    work.steps++;
    const found = firstMatch(rulesAt(text, at), text, at, roles, work);
    if (found === undefined) {
      at++;
      continue;
    }
    out += text.slice(copied, at) + found.instead;
    at = found.end;
    copied = at;
  }
  return out + text.slice(copied);
}

/** The rules whose matches may begin at `at`. */
function rulesAt(text: string, at: number): readonly Rule[] {
  const letter = text[at] ?? "";
  const before = text[at - 1];
  const marked = letter === "<" || letter === "[";
  if (before === undefined || before === "\n") return marked ? [...LINES, ...MARKUP] : [...LINES, ...PHRASES];
  if (marked) return MARKUP;
  if (!"idfobynIDFOBYN".includes(letter) || /\w/.test(before)) return [];
  PHRASE_STARTS.lastIndex = at;
  return PHRASE_STARTS.test(text) ? PHRASES : [];
}

function firstMatch(rules: readonly Rule[], text: string, at: number, roles: Roles, work: Work) {
  for (const { pattern, becomes } of rules) {
    work.steps++;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const instead = match === null ? undefined : becomes(match, text, roles);
    if (match !== null && instead !== undefined) return { instead, end: at + match[0].length };
  }
  return undefined;
}

/** Tags of these names are data as well; they are a forged role when orders follow, or when they end what never began. */
function roleTag(match: RegExpExecArray, text: string, roles: Roles): string | undefined {
  const [all, slash = "", name = "", close = ""] = match;
  const role = name.toLowerCase();
  const isComponent = name !== role && name !== name.toUpperCase();
  const isGeneric = slash === "" && /[\w.]/.test(text[match.index - 1] ?? " ");
  if (isComponent || isGeneric) return undefined;
  const open = roles.get(role) ?? { stayed: 0, forged: 0 };
  roles.set(role, open);
  const forged =
    slash === ""
      ? close === ">" && givesOrders(text, match.index + all.length)
      : close === ">" && endsForged(role, open);
  if (slash === "") open[forged ? "forged" : "stayed"]++;
  return forged ? `(${slash}${name})` : undefined;
}

function endsForged(role: string, open: { stayed: number; forged: number }): boolean {
  if (open.stayed > 0) {
    open.stayed--;
    return false;
  }
  // The other half of a pair of users may just be missing from an excerpt.
  return open.forged > 0 || role !== "user";
}

/** Whether what follows, behind white space, tells the reader what to do or be. */
function givesOrders(text: string, at: number): boolean {
  ORDER.lastIndex = at;
  return ORDER.test(text);
}
