import { NotConvergedError } from '../../../../base/errors.js';
import { BitSet, type Components, type Csr, NO_COMPONENT, type Solution } from '../../../kernel/index.js';
import { type Communicating, ScheduledChain } from './communicating.js';

/** The values need not be certified: less precise values are used as well. */
const GOOD = { precision: 1e-12, relative: true, maxIterations: 20_000 };
/** Precision of the long-run shares by which a state is chosen. */
const ROUGH = { precision: 0.1, maxIterations: 20_000 };
/** The smallest non-zero gain that the kernel accepts. */
const SMALLEST_GAIN = 2 ** -500;

/**
 * The approximate gain of each state under a scheduler beyond the scheduler's mean, until one state of the component is
 * reached. If the scheduler stays in several parts of a component, it is changed to reach the best of them from everywhere.
 *
 * @param active states of the requested components
 * @returns undefined if the chain was not solved
 */
export function relativeValues(
  problem: Communicating,
  { scheduler, rows, kernel, bottom }: ScheduledChain,
  active: BitSet,
  signal?: AbortSignal,
): Float64Array | undefined {
  const { componentOf, count, gains } = problem;
  const abort = signal ? { signal } : {};
  // A frequently visited state keeps the sums before its next visit small.
  const shares = middle(() => kernel.steadyState(oneInEach(bottom), { ...ROUGH, ...abort }));
  const chosen = new Map<number, number>();
  for (const s of active) {
    const part = bottom.componentOf[s];
    if (part === NO_COMPONENT) continue;
    const known = chosen.get(part);
    if (known === undefined || shares[s] > shares[known]) chosen.set(part, s);
  }
  const target = active.complement().union(BitSet.of(active.size, chosen.values()));
  const before = (states: Float64Array) =>
    middle(() => kernel.reachabilityReward({ states }, target, { ...GOOD, ...abort }));
  // The kernel takes no losses; a constant added to every step changes only the means.
  const least = scheduler.reduce((low, row) => Math.min(low, gains[row]), 0);
  const gained = Float64Array.from(scheduler, (row) => {
    const more = gains[row] - least;
    return more < SMALLEST_GAIN ? 0 : more;
  });
  const earned = before(gained);
  const time = before(new Float64Array(active.size).fill(1));
  const mean = (s: number): number => around(rows, s, gained[s], earned) / around(rows, s, 1, time);
  const best = new Int32Array(count).fill(-1);
  for (const s of chosen.values()) {
    const c = componentOf[s];
    if (best[c] < 0 || mean(s) > mean(best[c])) best[c] = s;
  }
  if (chosen.size > best.filter((s) => s >= 0).length) {
    const kept = BitSet.where(active.size, (s) => {
      const part = bottom.componentOf[s];
      return !active.has(s) || (part !== NO_COMPONENT && chosen.get(part) === best[componentOf[s]]);
    });
    const there = kernel.canReach(BitSet.full(active.size), kept);
    using leading = new ScheduledChain(problem, towards(problem, scheduler, there));
    return relativeValues(problem, leading, active, signal);
  }
  const beyond = earned.map((gain, s) => (active.has(s) ? gain - mean(best[componentOf[s]]) * time[s] : 0));
  return beyond.every(Number.isFinite) ? beyond : undefined;
}

/** The middle of bounds, including those reached without convergence. */
function middle(solve: () => Pick<Solution, 'lower' | 'upper'>): Float64Array {
  const between = ({ lower, upper }: Pick<Solution, 'lower' | 'upper'>) =>
    lower.map((low, s) => low + (upper[s] - low) / 2);
  try {
    return between(solve());
  } catch (error) {
    if (error instanceof NotConvergedError) return between(error);
    throw error;
  }
}

/** 1 in one state of each bottom component. */
function oneInEach({ count, componentOf }: Components): Float64Array {
  const seen = new Uint8Array(count);
  return Float64Array.from(componentOf, (c) => {
    if (c === NO_COMPONENT || seen[c] === 1) return 0;
    seen[c] = 1;
    return 1;
  });
}

/** The gain until a state is visited again. */
function around({ rowStart, columns, values }: Csr, s: number, own: number, before: Float64Array): number {
  let sum = own;
  for (let e = rowStart[s]; e < rowStart[s + 1]; e++)
    if (columns[e] !== s) sum += values[e] * before[columns[e]];
  return sum;
}

/** A scheduler that is unchanged in `there` and leads there from elsewhere. */
function towards(problem: Communicating, scheduler: Uint32Array, there: BitSet): Uint32Array {
  const { rowGroupStart, rowStart, columns } = problem;
  const states = scheduler.length;
  const reached = there.clone();
  const leading = scheduler.slice();
  for (let grown = true; grown; ) {
    grown = false;
    for (let s = states - 1; s >= 0; s--) {
      if (reached.has(s)) continue;
      for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1] && !reached.has(s); row++) {
        if (!columns.subarray(rowStart[row], rowStart[row + 1]).some((t) => reached.has(t))) continue;
        leading[s] = row;
        reached.add(s);
        grown = true;
      }
    }
  }
  return leading;
}
