// Owns how a command's argument text is read and completed.

import type { AutocompleteItem } from "@mariozechner/pi-tui";

/** The first word and all that follows it, line breaks kept. */
export function firstWord(args: string): { readonly word: string; readonly rest: string } {
  const match = /^\s*(\S+)\s*([\s\S]*)$/.exec(args);
  return { word: match?.[1] ?? "", rest: match?.[2] ?? "" };
}

/** Items whose text begins with what was typed; null, as the host wants it, when there is none. */
export function complete(
  typed: string,
  choices: readonly (readonly [value: string, description: string])[],
): AutocompleteItem[] | null {
  const items = choices
    .filter(([value]) => value.startsWith(typed.trimStart()))
    .map(([value, description]) => ({ value, label: value.trim(), description }));
  return items.length === 0 ? null : items;
}
