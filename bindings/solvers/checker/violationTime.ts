import type { Bounds } from '../../base/bounds.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { BitSet, type Solution, type SolveOptions } from '../kernel/index.js';
import type { ChainView } from '../model/index.js';
import { type JointProduct, openJointProduct, type ProductRule, requireEnds } from './jointProduct.js';
import { nodesByState } from './product.js';
import { refuseEstimates } from './refuseEstimates.js';
import { atStart, requireHorizons, requireViolable } from './violationRisk.js';

/** A chain, a rule, and how far ahead the time to its violation is looked at. */
export interface TimeProblem extends ProductRule {
  readonly chain: ChainView;
  /** The distribution is found for 0 to so many further steps, the move to `end` counted as one. Default 100. */
  readonly horizonSteps?: number;
}

/** When a rule is violated, for everything a guard can look up. Entries are numbered as in `RiskSolution`. */
export interface TimeSolution {
  readonly horizonSteps: number;
  /** Before the first step, which counts as one. */
  readonly start: ViolationTime;
  /**
   * The time to violation at entry `s * automaton.states + q`, counted in steps after the one that was read.
   * @throws InvalidArgumentError where no word ending in the valuation of s leads to q, and at start and end
   */
  at(entry: number): ViolationTime;
}

/** The random number T of steps to violation, infinite where it never comes. */
export interface ViolationTime {
  /** Bounds on P(T < ∞). */
  readonly risk: { readonly lower: number; readonly upper: number };
  /**
   * Bounds on E[T | T < ∞]; null where the risk is 0, or cannot be told from it. Infinity above where a state without data may come
   * first: nothing bounds what happens after it.
   */
  readonly expected: Bounds<number> | null;
  /** Float64Array(horizonSteps + 1): bounds on P(T <= k) at k. */
  readonly within: Bounds;
  /**
   * Bounds on the least k with P(T <= k | T < ∞) >= `probability`, which is above 0 and at most 1: the violations that come by then are
   * such a part of all. `upper` is Infinity where that is not certain within the horizon, null where the risk is 0.
   */
  quantile(probability: number): Bounds<number> | null;
}

/**
 * Bounds on when a run of the chain violates a rule, given that it does, and on the chance that it has by each step of a horizon.
 *
 * With p(x) the risk at x, m = E[T; T < ∞] is what is earned on the way to a violation by p(x) at every x passed: m(x) = p(x) + Σ P(x,y) m(y),
 * and E[T | T < ∞] = m / p. Both are solved with relative precision, so that rare violations have their time too.
 *
 * @param options Default precision 1e-6, relative to what is solved.
 * @throws as `violationRisk`; KernelError where the distribution over so many steps does not fit in memory
 */
export function violationTime(problem: TimeProblem, options: SolveOptions = {}): TimeSolution {
  const { chain, automaton, atEnd, horizonSteps = 100 } = problem;
  requireHorizons([horizonSteps]);
  refuseEstimates(options);
  requireViolable(automaton, atEnd);
  using product = openJointProduct(chain, [{ automaton, atEnd }]);
  requireEnds(product);
  const { kernel, violated, withoutData } = product;
  const unsure = indicator(kernel.canReach(violated.complement(), withoutData));
  const never = timeTo(product, violated, horizonSteps, options);
  const always =
    withoutData.count() === 0 ? never : timeTo(product, violated.union(withoutData), horizonSteps, options);
  const timeOf = (of: Read): ViolationTime => conditional(of, { never, always, unsure }, horizonSteps);
  const nodeOf = nodesByState(product);
  return {
    horizonSteps,
    start: timeOf((values, most) => atStart(product, values, most)),
    at(entry) {
      const node = nodeOf[entry] ?? -1;
      if (node >= 0) return timeOf(({ lower, upper }) => ({ lower: lower[node], upper: upper[node] }));
      throw new InvalidArgumentError(
        `there is no time to violation at entry ${entry}: no run comes to that state of chain and automaton`,
      );
    },
  };
}

/** What one entry, or the start, makes of values of all nodes, which do not exceed `most`, by default 1. */
type Read = (values: Bounds, most?: number) => Bounds<number>;

/** Reaching a target: its probability, m as `violationTime` has it, and the probability to have reached it by each step. */
interface Hitting {
  readonly risk: Bounds;
  readonly earned: Bounds;
  readonly byStep: readonly Bounds[];
}

function indicator(set: BitSet): Bounds {
  const values = Float64Array.from({ length: set.size }, (_, node) => Number(set.has(node)));
  return { lower: values, upper: values };
}

function timeTo(
  { kernel, nodes }: JointProduct,
  target: BitSet,
  horizonSteps: number,
  options: SolveOptions,
): Hitting {
  const everywhere = BitSet.full(nodes);
  const risk = kernel.until(everywhere, target, { ...options, relative: true });
  const possible = kernel.canReach(everywhere, target).difference(target);
  const earn = (values: Float64Array, smallest: number): Solution =>
    kernel.totalReward(
      { states: asRewards(values, possible, smallest) },
      { ...options, relative: true, within: possible },
    );
  const { lower, upper } = kernel.boundedUntil(everywhere, target, horizonSteps, { everyStep: true });
  return {
    risk,
    earned: { lower: earn(risk.lower, 0).lower, upper: earn(risk.upper, SMALLEST_REWARD).upper },
    byStep: Array.from({ length: horizonSteps + 1 }, (_, k) => ({
      lower: lower.subarray(k * nodes, (k + 1) * nodes),
      upper: upper.subarray(k * nodes, (k + 1) * nodes),
    })),
  };
}

/** The smallest reward that can be computed with. */
const SMALLEST_REWARD = 2 ** -500;

/** Room for one rounding of each side of a comparison. */
const ROUNDING = 2 ** -51;

/** Probabilities as rewards of the states of a set: below the smallest one there is, `smallest` stands for them. */
function asRewards(values: Float64Array, set: BitSet, smallest: number): Float64Array {
  return values.map((value, s) =>
    !set.has(s) || value === 0 ? 0 : value < SMALLEST_REWARD ? smallest : value,
  );
}

/**
 * What holds however violations come from states without data: `never` has none, `always` has them as such a state is reached. The true
 * probability and the true m lie above those of `never`, the probability below that of `always`; no violation comes before the first of `always`.
 * `unsure` is 1 where a state without data may come first.
 */
function conditional(
  of: Read,
  { never, always, unsure }: { never: Hitting; always: Hitting; unsure: Bounds },
  horizonSteps: number,
): ViolationTime {
  const risk = { lower: of(never.risk).lower, upper: of(always.risk).upper };
  const within: Bounds = {
    lower: Float64Array.from(never.byStep, (values) => of(values).lower),
    upper: Float64Array.from(always.byStep, (values, k) => of(k === 0 ? never.byStep[0] : values).upper),
  };
  const bounded = of(unsure).upper === 0 && risk.lower > 0;
  const earned = of(never.earned, Number.POSITIVE_INFINITY);
  const first = within.upper.findIndex((value) => value > 0);
  const earliest = first < 0 ? horizonSteps + 1 : first;
  return {
    risk,
    within,
    expected:
      risk.upper === 0
        ? null
        : {
            lower: Math.max(earliest, (earned.lower / risk.upper) * (1 - ROUNDING)),
            upper: bounded ? (earned.upper / risk.lower) * (1 + ROUNDING) : Number.POSITIVE_INFINITY,
          },
    quantile(probability) {
      if (!(probability > 0 && probability <= 1)) {
        throw new InvalidArgumentError(
          `the quantile is asked for ${probability}: it is a probability above 0 and at most 1`,
        );
      }
      if (risk.upper === 0) return null;
      const lower = within.upper.findIndex(
        (value) => value * (1 + ROUNDING) >= probability * risk.lower && value > 0,
      );
      const upper = within.lower.findIndex((value) => value * (1 - ROUNDING) >= probability * risk.upper);
      return {
        lower: lower < 0 ? horizonSteps + 1 : lower,
        upper: upper < 0 ? Number.POSITIVE_INFINITY : upper,
      };
    },
  };
}
