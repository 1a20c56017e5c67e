import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect } from 'vitest';
import { ForeguardError } from '../../bindings/base/errors.js';

/** scripts/fuzz.mjs sets these: how long, from which seed, and where the input under way is noted. */
const { FUZZ_SECONDS, FUZZ_SEED, FUZZ_JOURNAL } = process.env;

/**
 * Gives inputs to `attempt`, which may throw what Foreguard throws on purpose and nothing else: `inputs` of them in the test
 * suite, as many as the time allows where a time is set.
 *
 * Some must be accepted, as otherwise nothing was tried but the first check of a reader. How many is up to chance. Every test here accepts at
 * least one input in twenty and tries so many that the probability of none is below 1e-8.
 */
export async function fuzz<T>(
  inputs: number,
  arbitrary: fc.Arbitrary<T>,
  attempt: (input: T) => unknown,
): Promise<void> {
  let accepted = 0;
  const property = fc.asyncProperty(arbitrary, async (input) => {
    if (FUZZ_JOURNAL) writeFileSync(FUZZ_JOURNAL, fc.stringify(input));
    if (await succeeds(() => attempt(input))) accepted++;
  });
  await fc.assert(
    property,
    FUZZ_SECONDS === undefined
      ? { numRuns: inputs }
      : {
          numRuns: Number.MAX_SAFE_INTEGER,
          seed: Number(FUZZ_SEED),
          interruptAfterTimeLimit: 1000 * Number(FUZZ_SECONDS),
          markInterruptAsFailure: false,
        },
  );
  expect(accepted).toBeGreaterThan(0);
}

/** Long enough for every test, whose time is set from outside. */
export const FUZZ_TIMEOUT_MS = 900_000 + 2000 * Number(FUZZ_SECONDS ?? 0);

async function succeeds(attempt: () => unknown): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (!(error instanceof ForeguardError)) throw error;
    expect(error.message).not.toMatch(/undefined|\[object/);
    return false;
  }
}
