// Owns how a command's argument text is completed while it is typed.

import type { AutocompleteItem } from "@mariozechner/pi-tui";

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
