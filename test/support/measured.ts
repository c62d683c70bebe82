// A duration that a test has measured, shown behind its name.

export function measured({ test }: Mocha.Context, ms: number): void {
  if (test !== undefined) test.title += ` [measured: ${Math.round(ms)} ms]`;
}
