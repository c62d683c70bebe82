// Owns the quick look that tells of a short text of everyday words that redaction would find nothing in it. Most replies and previews
// are such texts, and the walk of the redactor through them costs more than all else that is done with them.

/** Words of letters and digits with the marks of sentences. No key is so short, and every sign of a secret has another letter in it. */
const PROSE = /^(?:[A-Za-z0-9,.!?']{1,15}(?: +|$))*$/;
/** Names whose secret stands behind a blank. */
const ANNOUNCES = /bearer|basic/i;
const LONGEST = 400;

/** True only for a text in which none of the rules finds anything and none of these secrets stands. */
export function isPlainProse(text: string, secrets: readonly string[]): boolean {
  if (text.length > LONGEST || !PROSE.test(text) || ANNOUNCES.test(text)) return false;
  // What is spelled differently in JSON or in a URL has signs that are not let through above.
  for (const secret of secrets) if (secret !== "" && text.includes(secret)) return false;
  return true;
}
