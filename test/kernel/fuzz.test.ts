import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { backends } from './backends.js';
import { randomNumbers } from './chains.js';
import { fuzzRound } from './fuzz.js';
import { guardedKernel } from './guardedKernel.js';
import { rawRound } from './rawFuzz.js';

/** scripts/fuzzKernel.mjs sets these: how long, from which seed, and where the seed of the round under way is noted. */
const { FUZZ_SECONDS, FUZZ_SEED = '1', FUZZ_JOURNAL } = process.env;
const seconds = Number(FUZZ_SECONDS ?? 0.5);

/** Runs rounds with seeds of their own until the time is over, at least `atLeast`. */
function rounds(atLeast: number, round: (random: () => number) => void): void {
  const end = performance.now() + 1000 * seconds;
  for (let seed = Number(FUZZ_SEED); atLeast-- > 0 || performance.now() < end; seed++) {
    if (FUZZ_JOURNAL) writeFileSync(FUZZ_JOURNAL, `seed ${seed} of "${expect.getState().currentTestName}"`);
    try {
      round(randomNumbers(seed));
    } catch (cause) {
      throw new Error(`FUZZ_SEED=${seed} repeats this`, { cause });
    }
  }
}

const limit = 60_000 + 2000 * seconds;

describe.each(backends)('%s', (_, kernel) => {
  test('whatever it is given, a kernel answers within the laws or refuses with a typed error', {
    timeout: limit,
  }, () => {
    const warm = randomNumbers(Number(FUZZ_SEED));
    for (let i = 0; i < 25; i++) fuzzRound(kernel, warm);
    const before = kernel.memoryBytes();
    rounds(25, (random) => fuzzRound(kernel, random));
    expect(kernel.memoryBytes()).toBeLessThanOrEqual(before + 65_536);
  });
});

test('the kernel writes inside of its blocks only, and gives all of them back', { timeout: limit }, () => {
  const { kernel, held } = guardedKernel(randomNumbers(5));
  rounds(50, (random) => {
    fuzzRound(kernel, random);
    expect(held()).toBe(0);
  });
});

test('the functions of the module take any bytes without a trap', { timeout: limit }, () => {
  const { exports, held } = guardedKernel(randomNumbers(6));
  rounds(50, (random) => rawRound(exports, random));
  expect(held()).toBe(0);
  expect(exports.memory.buffer.byteLength).toBeLessThan(2 ** 20);
});
