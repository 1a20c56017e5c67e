import type { Bounds } from '../../../bindings/base/bounds.js';
import type { ChainRewards, Csr } from '../../../bindings/solvers/kernel/types/index.js';
import { outward } from './bounds.js';
import { type ReferenceChain, stayError } from './chain.js';

/** See assembly/solve/gain.ts for the factor of what states earn and for the rounding. */
export function gains(chain: ReferenceChain, { states, transitions }: ChainRewards): Bounds {
  const lower = new Float64Array(chain.states);
  const upper = new Float64Array(chain.states);
  for (let s = 0; s < chain.states; s++) {
    lower[s] = upper[s] = (states?.[s] ?? 0) * Math.max(1, chain.exit[s]);
    let entries = 0;
    for (const [probability, reward] of transitions === undefined ? [] : moves(chain, transitions, s)) {
      lower[s] += probability.lower * reward;
      upper[s] += probability.upper * reward;
      entries++;
    }
    const error = outward(entries);
    lower[s] *= 1 - error;
    upper[s] *= 1 + error;
  }
  return { lower, upper };
}

/** The probability of each move of `s` that has a reward, with that reward. */
function* moves(
  { rowStart, columns, values, stay }: ReferenceChain,
  rewards: Csr,
  s: number,
): Generator<[{ lower: number; upper: number }, number]> {
  const entries = rowStart[s + 1] - rowStart[s];
  const probability = new Map<number, { lower: number; upper: number }>();
  for (let e = rowStart[s]; e < rowStart[s + 1]; e++) {
    probability.set(columns[e], { lower: values[e], upper: values[e] });
  }
  probability.set(s, { lower: Math.max(0, stay[s] - 2 * stayError(entries)), upper: stay[s] });
  for (let i = rewards.rowStart[s]; i < rewards.rowStart[s + 1]; i++) {
    yield [probability.get(rewards.columns[i]) ?? { lower: 0, upper: 0 }, rewards.values[i]];
  }
}
