// What a measured server says about its own cost.

/** Processor time of this process so far, all its threads together, in microseconds. */
export function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
