import type { Bounds } from '../../base/bounds.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { type AtEnd, type Automaton, statesAfterWords, VIOLATED } from '../../languages/automaton/index.js';
import type { Accuracy, SolveOptions } from '../kernel/index.js';
import type { ChainView } from '../model/index.js';
import { rowMean } from './backward.js';
import { type JointProduct, openJointProduct, requireEnds } from './jointProduct.js';
import { nodesByState } from './product.js';
import { reachViolation, reachViolationWithin } from './reachViolation.js';
import { refuseEstimates } from './refuseEstimates.js';

/** A chain, the automaton of a rule, and what counts as a violation. */
export interface RiskProblem {
  readonly chain: ChainView;
  readonly automaton: Automaton;
  /** `strong` asks that a finished run satisfies the rule; `weak` only that no prefix of it is beyond repair. */
  readonly atEnd: AtEnd;
  /** Violation within so many further steps, the move to `end` counted as one. Default and null: ever. */
  readonly horizonSteps?: number | null;
  /** Further horizons, in steps; all are found in one pass over as many steps as the longest has. Default none. */
  readonly horizons?: readonly number[];
}

/** Certified risk of one rule for everything a guard can look up. */
export interface RiskSolution {
  /**
   * Float64Array(chain.states * automaton.states): entry s * automaton.states + q bounds the probability of a violation after
   * the automaton has read the valuation of s and come to q. NaN, which no guard allows on, where no word ending in that
   * valuation leads to q, and at start and end.
   */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Before the first step: the mean over the first states. */
  readonly start: { readonly lower: number; readonly upper: number };
  /** The risk within each of the further horizons, entries as in `lower` and `upper`. */
  readonly horizons: ReadonlyMap<number, Bounds>;
  readonly accuracy: Accuracy;
  readonly method: string;
  readonly iterations: number;
  readonly nodes: number;
  readonly transitions: number;
}

/**
 * Bounds on the probability that a run of the chain violates a rule, from every state of their product: 1 at violated, 0 at
 * satisfied. States without data count with [0,1].
 *
 * @param options Default precision 1e-6, absolute.
 * @throws InvalidArgumentError where nothing can violate the rule (such as `F goal` under `weak`), the horizon is no natural
 * number, or the method is `value-iteration`, which has no bounds; InvalidModelError where, under `strong`, a run may go on for ever without its obligation being met or broken;
 * NotConvergedError as the solver.
 */
export function violationRisk(problem: RiskProblem, options: SolveOptions = {}): RiskSolution {
  const { chain, automaton, atEnd, horizonSteps = null, horizons = [] } = problem;
  requireHorizons(horizonSteps === null ? horizons : [horizonSteps, ...horizons]);
  refuseEstimates(options);
  requireViolable(automaton, atEnd);
  using product = openJointProduct(chain, [{ automaton, atEnd }]);
  requireEnds(product);
  const solution = reachViolation(product, horizonSteps, options);
  const { accuracy, method, iterations } = solution;
  const nodeOf = nodesByState(product);
  const entries = (values: Float64Array) =>
    Float64Array.from(nodeOf, (node) => (node < 0 ? Number.NaN : values[node]));
  const within = reachViolationWithin(product, horizons, options);
  return {
    lower: entries(solution.lower),
    upper: entries(solution.upper),
    start: atStart(product, solution),
    horizons: new Map(
      [...within].map(([steps, { lower, upper }]) => [
        steps,
        { lower: entries(lower), upper: entries(upper) },
      ]),
    ),
    accuracy,
    method,
    iterations,
    nodes: product.nodes,
    transitions: product.kernel.transitions,
  };
}

/** Before the first step: the mean over the first states of values that do not exceed `most`. */
export function atStart(
  { chain, first }: Pick<JointProduct, 'chain' | 'first'>,
  { lower, upper }: Bounds,
  most = 1,
): Bounds<number> {
  const values = {
    lower: Float64Array.from(first, (node) => (node < 0 ? 0 : lower[node])),
    upper: Float64Array.from(first, (node) => (node < 0 ? 0 : upper[node])),
  };
  const [low, high] = rowMean(chain, chain.start, values, most);
  return { lower: low, upper: high };
}

/**
 * Whether a strong rule is judged at all.
 *
 * @throws InvalidModelError where a run may go on for ever without its obligation being met or broken, with the state to blame
 */
export function requireJudged({ chain, automaton, atEnd }: RiskProblem): void {
  using product = openJointProduct(chain, [{ automaton, atEnd }]);
  requireEnds(product);
}

/** @throws InvalidArgumentError for a horizon that is no number of steps */
export function requireHorizons(horizons: readonly number[]): void {
  for (const steps of horizons) {
    if (Number.isInteger(steps) && steps >= 0) continue;
    throw new InvalidArgumentError(`the horizon is ${steps}; expected a number of steps, 0 or more`);
  }
}

/**
 * Whether any run can violate a rule at all.
 *
 * @throws InvalidArgumentError where none can: such a rule is vacuous
 */
export function requireViolable(automaton: Automaton, atEnd: AtEnd): void {
  const reached = statesAfterWords(automaton);
  if (reached.some((q) => automaton.verdict[q] === VIOLATED)) return;
  if (atEnd === 'weak') {
    throw new InvalidArgumentError(
      'no prefix of a run can violate this rule, so under atEnd: weak it is vacuous; use atEnd: strong, or give what it promises a window',
    );
  }
  if (reached.every((q) => automaton.accepting[q])) {
    throw new InvalidArgumentError('no run can violate this rule: it is vacuous');
  }
}
