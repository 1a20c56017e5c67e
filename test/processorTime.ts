/**
 * Milliseconds of processor time that this process spends on some work: unlike the clock, it does not count what others do on the
 * machine meanwhile.
 */
export function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The same of work that is done when a promise resolves. */
export async function processorTimeUntil(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
