// Skips a test with its reason in the title, so that every run prints why.

export function skipBecause(context: Mocha.Context, reason: string): never {
  const { test } = context;
  if (test !== undefined) test.title = `${test.title} (skipped: ${reason})`;
  return context.skip();
}
