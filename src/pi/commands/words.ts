// Owns how a command's argument text is read and completed.

import type { AutocompleteItem } from "@mariozechner/pi-tui";

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

/**
 * Items whose text begins with what was typed. Null, as the host wants it, when there is none, and when one of them is typed in whole:
 * an open list would take the Enter that is meant to run the command.
 */
export function complete(
  typed: string,
  choices: readonly (readonly [value: string, description: string])[],
): AutocompleteItem[] | null {
  const items = choices
    .filter(([value]) => value.startsWith(typed.trimStart()))
    .map(([value, description]) => ({ value, label: value.trim(), description }));
  return items.length === 0 || items.some(({ value }) => value === typed.trimStart()) ? null : items;
}

/** Names of peers that begin like what was typed; `ending` is what follows a name in the command. */
export function completePeers(typed: string, names: readonly string[], ending: "" | " "): AutocompleteItem[] | null {
  return complete(
    typed,
    names.map((name) => [`${name}${ending}`, "configured peer"] as const),
  );
}
