// Owns how a command's argument text is read.

/** The first word and all that follows it, line breaks kept. */
export function firstWord(args: string): { readonly word: string; readonly rest: string } {
  const match = /^\s*(\S+)\s*([\s\S]*)$/.exec(args);
  return { word: match?.[1] ?? "", rest: match?.[2] ?? "" };
}

/** The values of leading `--name value` pairs with one of these names, and what follows them as it is. */
export function leadingOptions(
  text: string,
  names: readonly string[],
): { readonly values: ReadonlyMap<string, string>; readonly rest: string } {
  const values = new Map<string, string>();
  let rest = text;
  for (;;) {
    const [whole = "", name = "", value = ""] = /^\s*--(\S+)\s+(\S+)\s*/.exec(rest) ?? [];
    if (whole === "" || !names.includes(name)) return { values, rest };
    values.set(name, value);
    rest = rest.slice(whole.length);
  }
}
