// How a script hears that it is to stop.

/** Resolves with a sentence about the first of the signals that end a program. */
export function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => resolve(`stopped by ${signal}`));
    }
  });
}
