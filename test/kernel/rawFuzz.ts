import { expect } from 'vitest';
import type { KernelExports } from '../../bindings/solvers/kernel/wasm/exports.js';
import type { Random } from './garbage.js';
import { callRawChain } from './rawChain.js';
import { callRawIntervals } from './rawIntervals.js';
import { callRawMdp } from './rawMdp.js';
import { RawModule } from './rawModule.js';
import { callRawProduct } from './rawProduct.js';

/**
 * One round of calls of the module's own functions, bindings left out: blocks come from `allocate` with the sizes that the
 * module gives, sets and bounds in them are random bytes, numbers any that the function does not promise to be given in
 * range. What docs/architecture.md promises: no call traps, and what is no model is refused by its check.
 */
export function rawRound(exports: KernelExports, random: Random): void {
  const module = new RawModule(exports, random);
  try {
    for (const bytes of [
      Number.NaN,
      -1,
      Number.NEGATIVE_INFINITY,
      2 ** 32,
      2 ** 53,
      Number.POSITIVE_INFINITY,
    ])
      expect(exports.allocate(bytes)).toBe(0);
    callRawChain(module);
    callRawMdp(module);
    callRawIntervals(module);
    callRawProduct(module);
  } finally {
    module.releaseAll();
  }
}

/** Functions that are not called directly, and why. */
export const NOT_CALLED: ReadonlyMap<string, string> = new Map([
  [
    'addRow',
    'half of censorSparse, which marks the columns of a row before it and clears the marks after it',
  ],
]);
