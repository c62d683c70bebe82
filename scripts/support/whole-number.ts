// Numbers on the command line.

/** Throws a text for people when it is none. */
export function wholeNumber(flag: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`${flag} must be a whole number, not ${text}`);
  return Number(text);
}
