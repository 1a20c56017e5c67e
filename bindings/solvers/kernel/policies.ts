import type { Bounds } from '../../base/bounds.js';
import type { BlockChoices, OptimumProblem } from './engine.js';
import { valuesUnder } from './policyChain.js';
import type { Direction } from './types/index.js';

/** The largest number of policy improvements. */
const IMPROVEMENTS = 100;

/** The relative difference from which a choice counts as better; smaller differences may be rounding. */
const NOTICEABLE = 2 ** -46;

/** The relative difference up to which choices count as equally good. */
const AS_GOOD = 1e-9;

/** A choice for each block of a component, and bounds of the blocks' values under these choices. */
export interface Policy {
  readonly choices: Uint32Array;
  readonly values: Bounds;
}

/**
 * Policy iteration (Howard 1960) on a component from `first` on, all of whose blocks are unknown: a policy's equations are
 * solved, then every block takes its best choice. It converges in cases in which interval iteration needs millions of sweeps.
 * The value of a policy is certain; that no policy is better must be verified. All methods yield the work they do, so that they
 * can run in turns.
 */
export class PolicyIteration {
  /** Whether no block has two choices. */
  readonly forced: boolean;
  readonly #problem: OptimumProblem;
  readonly #choices: BlockChoices;
  readonly #first: number;
  readonly #size: number;
  readonly #direction: Direction;
  /** 1 for greatest values, -1 for least values. */
  readonly #sign: number;

  constructor(
    problem: OptimumProblem,
    first: number,
    last: number,
    direction: Direction,
    choices: BlockChoices = problem.choices(first, last),
  ) {
    this.#problem = problem;
    this.#choices = choices;
    this.#first = first;
    this.#size = last - first;
    this.#direction = direction;
    this.#sign = direction === 'max' ? 1 : -1;
    this.forced = this.#choices.exit.length === this.#size;
  }

  /** The best policy for one side of the bounds of the blocks after the component; `start` is a policy for the other side. */
  *best(side: 'lower' | 'upper', start?: Policy): Generator<number, Policy | undefined> {
    const gain = this.#choices.gain[side];
    const improve = (policy: Uint32Array) => this.#improve(policy, gain, this.#sign, () => true);
    if (start !== undefined) return yield* improve(start.choices);
    const found = this.#problem.bounds(this.#first, this.#first + this.#size)[side];
    return (yield* improve(this.#greedy(gain, found))) ?? (yield* improve(this.#leavingPolicy()));
  }

  /**
   * The only policy, if no block has two choices; its values hold for every value within the bounds of the blocks after the
   * component.
   */
  *only(): Generator<number, Policy | undefined> {
    const choices = Uint32Array.from({ length: this.#size }, (_, b) => b);
    const values = yield* valuesUnder(this.#problem, this.#choices, this.#first, choices, this.#choices.gain);
    return values && { choices, values };
  }

  /**
   * The discounted problem: every step leaves, with probability `room`, to a state of value 0. Staying for ever is then worth
   * little more than the least reward per step divided by `room`.
   */
  discounted(room: number): PolicyIteration {
    const [first, last] = [this.#first, this.#first + this.#size];
    const choices = withDiscount(this.#choices, first, room);
    return new PolicyIteration(this.#problem, first, last, this.#direction, choices);
  }

  /** The most expected steps in the component under any policy as good as this one, for the same side. */
  *mostSteps(
    { choices, values }: Policy,
    side: 'lower' | 'upper',
  ): Generator<number, Float64Array | undefined> {
    const value = middle(values);
    const gain = this.#choices.gain[side];
    const asGood = (b: number, c: number) =>
      Math.abs(this.#value(c, gain, value) - value[b]) <= AS_GOOD * value[b];
    const longest = yield* this.#improve(choices, this.#choices.exit, 1, asGood);
    return longest && middle(longest.values);
  }

  /** Improves a policy for the given gains, greatest (sign 1) or least (sign -1), among the allowed choices. */
  *#improve(
    start: Uint32Array,
    gain: Float64Array,
    sign: number,
    allowed: (block: number, choice: number) => boolean,
  ): Generator<number, Policy | undefined> {
    const { groupStart, columns } = this.#choices;
    const choices = start.slice();
    for (let i = 0; i < IMPROVEMENTS; i++) {
      const bounds = yield* valuesUnder(this.#problem, this.#choices, this.#first, choices, {
        lower: gain,
        upper: gain,
      });
      if (bounds === undefined) return undefined;
      const values = middle(bounds);
      let improved = false;
      for (let b = 0; b < this.#size; b++) {
        let best = values[b] * (1 + sign * NOTICEABLE);
        for (let c = groupStart[b]; c < groupStart[b + 1]; c++) {
          const value = this.#value(c, gain, values);
          if (!(sign * (value - best) > 0 && allowed(b, c))) continue;
          best = value;
          choices[b] = c;
          improved = true;
        }
      }
      yield columns.length;
      if (!improved) return { choices, values: bounds };
    }
    return undefined;
  }

  /**
   * The greedy policy for `values`. It takes the first of several best choices: neighbours then mostly agree, and the chain
   * decomposes into small components.
   */
  #greedy(gain: Float64Array, values: Float64Array): Uint32Array {
    const { groupStart } = this.#choices;
    return Uint32Array.from({ length: this.#size }, (_, b) => {
      let best = groupStart[b];
      let bestValue = this.#value(best, gain, values);
      for (let c = best + 1; c < groupStart[b + 1]; c++) {
        const value = this.#value(c, gain, values);
        if (this.#sign * (value - bestValue) > 0) [best, bestValue] = [c, value];
      }
      return best;
    });
  }

  /** A policy that leaves the component almost surely: each choice leads towards an exit with positive probability. */
  #leavingPolicy(): Uint32Array {
    const { groupStart, rowStart, columns, leaving } = this.#choices;
    const policy = new Uint32Array(this.#size);
    const decided = new Uint8Array(this.#size);
    const leads = (c: number) => {
      if (leaving[c] > 0) return true;
      for (let e = rowStart[c]; e < rowStart[c + 1]; e++) if (decided[columns[e] - this.#first]) return true;
      return false;
    };
    for (let found = true; found; ) {
      found = false;
      for (let b = 0; b < this.#size; b++) {
        for (let c = groupStart[b]; c < groupStart[b + 1] && !decided[b]; c++) {
          if (!leads(c)) continue;
          policy[b] = c;
          decided[b] = 1;
          found = true;
        }
      }
    }
    return policy;
  }

  #value(c: number, gain: Float64Array, blocks: Float64Array): number {
    const { rowStart, columns, values, exit } = this.#choices;
    let sum = gain[c];
    for (let e = rowStart[c]; e < rowStart[c + 1]; e++) {
      if (columns[e] >= this.#first) sum += values[e] * blocks[columns[e] - this.#first];
    }
    return sum / exit[c];
  }
}

/**
 * Redirects the fraction `room` of the probability that stays in the component, from block `first` on, out of it; scales gains
 * down equally.
 */
function withDiscount(choices: BlockChoices, first: number, room: number): BlockChoices {
  const { rowStart, columns, values, gain } = choices;
  const kept = 1 - room;
  return {
    ...choices,
    values: values.map((probability) => probability * kept),
    leaving: choices.leaving.map((probability, c) => {
      let inside = 0;
      for (let e = rowStart[c]; e < rowStart[c + 1]; e++) if (columns[e] >= first) inside += values[e];
      return probability + room * inside;
    }),
    gain: { lower: gain.lower.map((value) => value * kept), upper: gain.upper.map((value) => value * kept) },
  };
}

/** The middle of bounds. */
export function middle({ lower, upper }: Bounds): Float64Array {
  return lower.map((value, b) => (value + upper[b]) / 2);
}
