import type { Bounds } from '../../base/bounds.js';
import { BitSet } from './bitSet.js';
import type { BlockChoices, OptimumProblem, UntilProblem } from './engine.js';
import { SMALLEST_PROBABILITY } from './invalidModel.js';
import { SLICE } from './options.js';
import { Status } from './status.js';
import type { Csr } from './types/index.js';
import { SMALL_STATES } from './until.js';

/**
 * The values of the blocks of a component from `first` on under one choice each, by elimination in the induced chain. Most
 * choices have few successors: the chain decomposes into small components, and its rows hardly fill up.
 *
 * The bounds are certified. Nothing is subtracted: `leaving` and gains of t terms each are sums of positive numbers, within 2t
 * + 2 units 2^-53; entries perturbed by relative e change a solution by at most 2e for each row perturbed (see
 * assembly/solve/elimination.ts), gains by e.
 *
 * @param policy the choice of each block.
 * @param gain the gain of each choice.
 * @yields the work done since the last yield.
 * @returns undefined if numbers became too small, or rows filled up.
 */
export function* valuesUnder(
  problem: OptimumProblem,
  choices: BlockChoices,
  first: number,
  policy: Uint32Array,
  gain: Bounds,
): Generator<number, Bounds | undefined> {
  const blocks = policy.length;
  const chain = problem.load(induced(choices, first, policy));
  yield blocks;
  if ('status' in chain) return undefined;
  try {
    const ofPolicy = (gains: Float64Array) =>
      Float64Array.from({ length: blocks + 1 }, (_, b) => (b < blocks ? gains[policy[b]] : 0));
    const system = chain.openSystem({
      unknown: BitSet.of(blocks + 1, [blocks]).complement(),
      start: {
        lower: new Float64Array(blocks + 1),
        upper: new Float64Array(blocks + 1).fill(Number.POSITIVE_INFINITY, 0, blocks),
      },
      gain: { lower: ofPolicy(gain.lower), upper: ofPolicy(gain.upper) },
      transposed: false,
    });
    try {
      if (!(yield* eliminated(system))) return undefined;
      return widened(system.bounds(), errorOf(choices, policy), blocks);
    } finally {
      system.close();
    }
  } finally {
    chain.free();
  }
}

/** Eliminates all components of a system, successors first; returns whether that succeeded. */
function* eliminated(system: UntilProblem): Generator<number, boolean> {
  const { componentStart } = system;
  const components = componentStart.length - 1;
  const sizeOf = (component: number) => componentStart[component + 1] - componentStart[component];
  for (let component = 0; component < components; ) {
    const first = component;
    let work = 0;
    while (component < components && work < SLICE && sizeOf(component) <= SMALL_STATES)
      work += sizeOf(component++) ** 3;
    if (component > first) {
      if (system.solveSmall(first, component) < component) return false;
      yield work;
      continue;
    }
    const elimination = system.openElimination(component++);
    try {
      for (let status: Status = Status.Unfinished; status !== Status.Ok; ) {
        const advanced = elimination.advance(SLICE);
        yield advanced.work;
        ({ status } = advanced);
        if (status !== Status.Ok && status !== Status.Unfinished) return false;
      }
    } finally {
      elimination.close();
    }
  }
  return true;
}

/** The rows of these choices, with duplicates added up; moves out of the component go to an extra last state. */
function induced(
  { rowStart: start, columns, values, exit, leaving }: BlockChoices,
  first: number,
  policy: Uint32Array,
): Csr {
  const blocks = policy.length;
  const rowStart = new Uint32Array(blocks + 2);
  const successors: number[] = [];
  const probabilities: number[] = [];
  const sums = new Float64Array(blocks + 1);
  for (const [b, c] of policy.entries()) {
    const row: number[] = [];
    const add = (t: number, probability: number) => {
      if (sums[t] === 0) row.push(t);
      sums[t] += probability;
    };
    for (let e = start[c]; e < start[c + 1]; e++) if (columns[e] >= first) add(columns[e] - first, values[e]);
    if (leaving[c] > 0) add(blocks, leaving[c]);
    // The remaining probability stays in the block.
    if (1 - exit[c] >= SMALLEST_PROBABILITY) add(b, 1 - exit[c]);
    for (const t of row.sort((one, other) => one - other)) {
      successors.push(t);
      probabilities.push(sums[t]);
      sums[t] = 0;
    }
    rowStart[b + 1] = successors.length;
  }
  rowStart[blocks + 1] = successors.push(blocks);
  probabilities.push(1);
  return { rowStart, columns: Uint32Array.from(successors), values: Float64Array.from(probabilities) };
}

/** The relative error of values due to rounding before the chain was loaded. */
function errorOf({ terms }: BlockChoices, policy: Uint32Array): number {
  return policy.reduce((sum, choice) => sum + terms[choice] + 1, 0) * 2 ** -50;
}

function widened({ lower, upper }: Bounds, error: number, blocks: number): Bounds {
  return {
    lower: lower.subarray(0, blocks).map((value) => {
      const less = value * (1 - error);
      return less < SMALLEST_PROBABILITY ? 0 : less;
    }),
    upper: upper.subarray(0, blocks).map((value) => Math.max(value * (1 + error), SMALLEST_PROBABILITY)),
  };
}
