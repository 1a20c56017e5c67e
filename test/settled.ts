/**
 * Lets everything happen that waits for this process alone, such as promises and wires in memory. It takes turns of the event loop, not time: a busy machine
 * changes nothing. What waits for timers, files or other processes is to be waited for by `expect.poll`.
 */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
}
