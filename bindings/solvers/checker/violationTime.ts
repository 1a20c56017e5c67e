import type { Bounds } from '../../base/bounds.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { BitSet, type Solution, type SolveOptions } from '../kernel/index.js';
import type { ChainView } from '../model/index.js';
import { type JointProduct, openJointProduct, type ProductRule, requireEnds } from './jointProduct.js';
import { nodesByState } from './nodesByState.js';
import { refuseEstimates } from './refuseEstimates.js';
import { atStart, requireHorizons, requireViolable } from './violationRisk.js';

/** A chain, a rule, and the horizon of the time to its violation. */
export interface TimeProblem extends ProductRule {
  readonly chain: ChainView;
  /** The distribution covers 0 to this many further steps; the move to `end` counts as one. Default 100. */
  readonly horizonSteps?: number;
}

/** The time to a rule's violation, for every state that a guard can look up. Entries are numbered as in `RiskSolution`. */
export interface TimeSolution {
  readonly horizonSteps: number;
  /** Before the first step, counted from that step: 0 if it violates the rule. */
  readonly start: ViolationTime;
  /**
   * The time to violation at entry `s * automaton.states + q`, counted in steps after the one already read.
   * @throws InvalidArgumentError at start and end, and if no word ending in the valuation of s leads to q
   */
  at(entry: number): ViolationTime;
}

/** The random number T of steps to the violation, infinite if it never comes. */
export interface ViolationTime {
  /** Bounds on P(T < ∞). */
  readonly risk: { readonly lower: number; readonly upper: number };
  /**
   * Bounds on E[T | T < ∞]; null if the risk is 0 or cannot be told from 0. The upper bound is Infinity if a state without data
   * may come first, because nothing bounds the time after it.
   */
  readonly expected: Bounds<number> | null;
  /** Float64Array(horizonSteps + 1): entry k bounds P(T <= k). */
  readonly within: Bounds;
  /**
   * Bounds on the least k with P(T <= k | T < ∞) >= `probability`, which is above 0 and at most 1: that fraction of all
   * violations comes by step k. `upper` is Infinity if that is not certain within the horizon. The result is null if the risk
   * is 0.
   */
  quantile(probability: number): Bounds<number> | null;
}

/**
 * Bounds on the time at which a run of the chain violates a rule, given that it does, and on the probability of a violation by
 * each step of a horizon.
 *
 * With p(x) the risk at x, m = E[T; T < ∞] is the reward earned on the way to a violation if every x passed earns p(x): m(x) =
 * p(x) + Σ P(x,y) m(y), and E[T | T < ∞] = m / p. Both are solved with relative precision, so that rare violations also have a
 * bounded time.
 *
 * @param options the solver's; default precision 1e-6, relative to the solved value.
 * @throws as `violationRisk`; KernelError if the distribution over the horizon does not fit in memory
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

/** Reads the value of one entry, or of the start, from the values of all nodes, which do not exceed `most` (default 1). */
type Read = (values: Bounds, most?: number) => Bounds<number>;

/** Reaching a target: its probability, m as in `violationTime`, and the probability of having reached it by each step. */
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

/** The smallest non-zero reward that the kernel accepts. */
const SMALLEST_REWARD = 2 ** -500;

/** Room for one rounding of each side of a comparison. */
const ROUNDING = 2 ** -51;

/** Probabilities as rewards of the states of a set; `smallest` replaces probabilities below the smallest possible reward. */
function asRewards(values: Float64Array, set: BitSet, smallest: number): Float64Array {
  return values.map((value, s) =>
    !set.has(s) || value === 0 ? 0 : value < SMALLEST_REWARD ? smallest : value,
  );
}

/**
 * Bounds that hold however violations come from states without data: `never` has none, `always` has one as soon as such a state
 * is reached. The true probability and the true m are at least those of `never`; the probability is at most that of `always`;
 * no violation comes before the first of `always`. `unsure` is 1 if a state without data may come first.
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
