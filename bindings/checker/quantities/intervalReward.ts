import { NotConvergedError, NotSupportedError } from '../../errors.js';
import {
  BitSet,
  type IntervalMdpMatrix,
  type KernelIntervalMdp,
  type MdpRewards,
  type Players,
  type Solution,
  type SolveOptions,
} from '../../kernel/index.js';
import { Rational } from '../../rational.js';
import { opposite } from './complement.js';

/** Sweeps from below before upper bounds are guessed the first time; half as many more after every guess that fails. */
const SWEEPS = 16;

/**
 * Best expected rewards of an interval model before `target` is reached; infinite where those who maximise may miss it.
 *
 * Lower bounds rise from 0. Upper ones are guessed a little above, and hold if one application of the equations raises none of them
 * (Hartmanns, Kaminski 2020, doi:10.1007/978-3-030-53291-8_26): where nobody can stay for ever at no cost, what is earned on a run
 * is at most the guess, and so the target is reached.
 *
 * @throws NotSupportedError if one can stay for ever outside the target and earn nothing, or rows have centres
 * @throws NotConvergedError if bounds do not come as close as asked
 */
export function intervalReachabilityReward(
  matrix: IntervalMdpMatrix,
  kernel: KernelIntervalMdp,
  players: Players,
  rewards: MdpRewards,
  target: BitSet,
  options: SolveOptions,
): Solution {
  return new IntervalReward(matrix, kernel, players, rewards, target).solve(options);
}

class IntervalReward {
  private readonly matrix: IntervalMdpMatrix;
  private readonly kernel: KernelIntervalMdp;
  private readonly players: Players;
  private readonly rewards: MdpRewards;
  private readonly states: number;
  private readonly infinite: BitSet;
  /** States outside the target whose value is finite. */
  private readonly active: BitSet;
  /** Rows whose value is infinite: they lead to an infinite state, if nature wants or must. */
  private readonly lost: BitSet;

  constructor(
    matrix: IntervalMdpMatrix,
    kernel: KernelIntervalMdp,
    players: Players,
    rewards: MdpRewards,
    target: BitSet,
  ) {
    if (matrix.centre !== undefined) {
      throw new NotSupportedError(
        'rewards until a target is reached are not supported for rows with centres',
      );
    }
    this.matrix = matrix;
    this.kernel = kernel;
    this.players = players;
    this.rewards = rewards;
    this.states = target.size;
    // Who maximises rewards minimises the chance to arrive, and the other way round.
    const [scheduler, nature] = opposite([players.scheduler, players.nature]);
    const sure = kernel.prob1(BitSet.full(this.states), target, { scheduler, nature });
    this.infinite = sure.complement();
    this.active = sure.difference(target);
    this.lost = BitSet.where(kernel.rows, (row) => !this.canStay(row, sure, players.nature === 'max'));
    this.refuseIdling();
  }

  solve({ precision = 1e-6, relative = false, maxIterations = 1_000_000, signal }: SolveOptions): Solution {
    const { states, active } = this;
    const start = Float64Array.from({ length: states }, (_, s) =>
      this.infinite.has(s) ? Number.POSITIVE_INFINITY : 0,
    );
    if (active.count() === 0) {
      return { lower: start, upper: start.slice(), accuracy: 'exact', method: 'graph', iterations: 0 };
    }
    const allowed = (value: number) => precision * (relative ? value : Math.max(1, value));
    const lower = start;
    let above = 1 / 2;
    let iterations = 0;
    for (let sweeps = SWEEPS; iterations < maxIterations; sweeps += sweeps >>> 1) {
      signal?.throwIfAborted();
      let rose = false;
      for (let i = 0; i < sweeps; i++)
        rose = this.apply(lower, 'lower', (value, old) => Math.max(value, old)) || rose;
      const upper = lower.map((value, s) => (active.has(s) ? value + above * allowed(value) : value));
      iterations += sweeps;
      if (this.verify(upper, sweeps)) {
        const close = () =>
          upper.every((value, s) => !active.has(s) || value - lower[s] <= 2 * allowed(lower[s]));
        for (let i = 0; !close() && i < sweeps; i++, iterations++) {
          if (!this.apply(upper, 'upper', (value, old) => Math.min(value, old))) break;
        }
        if (close()) {
          return { lower, upper, accuracy: 'bounded', method: 'robust-value-iteration', iterations };
        }
        if (!rose) throw notConverged(lower, upper, precision, iterations);
      } else if (!rose) above *= 4;
      if (above > 1e9) break;
    }
    const upper = lower.map((value, s) => (active.has(s) ? Number.POSITIVE_INFINITY : value));
    throw notConverged(lower, upper, precision, iterations);
  }

  /** Applies the equations to guesses until none rises, `most` times at most; returns whether they are upper bounds then. */
  private verify(upper: Float64Array, most: number): boolean {
    for (let i = 0; i < most; i++) {
      let rose = false;
      this.apply(upper, 'upper', (value, old) => {
        if (value > old) rose = true;
        return value;
      });
      if (!rose) return true;
    }
    return false;
  }

  /** Replaces each active value by what `settle` makes of what the equations give, and of itself; returns whether any moved. */
  private apply(
    values: Float64Array,
    side: 'lower' | 'upper',
    settle: (value: number, old: number) => number,
  ): boolean {
    const { matrix, rewards, active } = this;
    const { rowGroupStart, rowStart, columns } = matrix;
    const { scheduler, nature } = this.players;
    let largest = 1;
    for (const s of active) largest = Math.max(largest, values[s]);
    // A power of two changes no order; infinite values come last.
    const scale = 2 ** -(Math.floor(Math.log2(largest)) + 2);
    const scaled = values.map((value) => (value === Number.POSITIVE_INFINITY ? 1 : value * scale));
    const masses = this.kernel.rowDistributions(scaled, nature);
    const next = values.slice();
    let moved = false;
    for (const s of active) {
      let best = scheduler === 'max' ? 0 : Number.POSITIVE_INFINITY;
      for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
        let value = Number.POSITIVE_INFINITY;
        if (!this.lost.has(row)) {
          let [sum, most] = [0, 0];
          for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
            const t = columns[e];
            // Masses there are what roundings left: the row can do without.
            if (this.infinite.has(t)) continue;
            sum += masses[e] * values[t];
            most = Math.max(most, values[t]);
          }
          const gain = (rewards.states?.[s] ?? 0) + (rewards.rows?.[row] ?? 0);
          const error =
            128 * (rowStart[row + 1] - rowStart[row] + 2) * 2 ** -53 * most +
            gain * 2 ** -51 +
            sum * 2 ** -51;
          value = side === 'lower' ? Math.max(0, sum + gain - error) : sum + gain + error;
        }
        best = scheduler === 'max' ? Math.max(best, value) : Math.min(best, value);
      }
      next[s] = settle(best, values[s]);
      if (next[s] !== values[s]) moved = true;
    }
    values.set(next);
    return moved;
  }

  /** Whether a row can lead to states of `set` alone or, if `always`, can lead nowhere else. */
  private canStay(row: number, set: BitSet, always = false): boolean {
    const { rowStart, columns, lower, upper } = this.matrix;
    const [start, end] = [rowStart[row], rowStart[row + 1]];
    const inside: number[] = [];
    let leaves = false;
    for (let e = start; e < end; e++) {
      if (set.has(columns[e])) inside.push(upper[e]);
      else if (lower[e] > 0) return false;
      else leaves = true;
    }
    if (!leaves) return true;
    // Lower bounds that sum to 1 leave nothing for those that are 0.
    return reachesOne(lower.subarray(start, end)) || (!always && reachesOne(inside));
  }

  /** Where one may stay for ever at no cost, the equations have solutions that are no values. */
  private refuseIdling(): void {
    const { rowGroupStart } = this.matrix;
    const { states, rows } = this.rewards;
    let idle = this.active;
    for (;;) {
      const current = idle;
      idle = BitSet.where(this.states, (s) => {
        if (!current.has(s) || (states?.[s] ?? 0) > 0) return false;
        for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
          if ((rows?.[row] ?? 0) === 0 && this.canStay(row, current)) return true;
        }
        return false;
      });
      if (idle.equals(current)) break;
    }
    for (const s of idle) {
      throw new NotSupportedError(
        `from state ${s} one can go on for ever without reaching the target or earning anything: least rewards of such interval models are not supported; give every step a reward`,
      );
    }
  }
}

/** Whether numbers sum to 1 or more, exactly. */
function reachesOne(numbers: Iterable<number>): boolean {
  let sum = 0;
  for (const number of numbers) sum += number;
  if (Math.abs(sum - 1) > 1e-9) return sum > 1;
  let exact = Rational.ZERO;
  for (const number of numbers) exact = exact.plus(Rational.fromDouble(number));
  return exact.compare(Rational.ONE) >= 0;
}

function notConverged(
  lower: Float64Array,
  upper: Float64Array,
  precision: number,
  iterations: number,
): NotConvergedError {
  return new NotConvergedError(
    `bounds on rewards are too far apart after ${iterations} sweeps, where precision ${precision} was asked for: ask for less, or allow more sweeps`,
    { lower, upper },
  );
}
