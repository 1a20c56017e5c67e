import type { Bounds } from '../../base/bounds.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { type AtEnd, type Automaton, statesAfterWords, VIOLATED } from '../../languages/automaton/index.js';
import type { Accuracy, SolveOptions } from '../kernel/index.js';
import type { ChainView } from '../model/index.js';
import { rowMean } from './backward.js';
import { type JointProduct, openJointProduct, requireEnds } from './jointProduct.js';
import { nodesByState } from './nodesByState.js';
import { reachViolation, reachViolationWithin } from './reachViolation.js';
import { refuseEstimates } from './refuseEstimates.js';

/** A chain, the automaton of a rule, and the definition of a violation. */
export interface RiskProblem {
  readonly chain: ChainView;
  readonly automaton: Automaton;
  /** `strong`: a finished run must satisfy the rule; `weak`: a run may end in any state that is not violated. */
  readonly atEnd: AtEnd;
  /** Horizon of the violation in further steps; the move to `end` counts as one. Default and null: unbounded. */
  readonly horizonSteps?: number | null;
  /** Further horizons, in steps; one pass over the longest horizon computes all of them. Default: none. */
  readonly horizons?: readonly number[];
}

/** Certified risk of one rule for every state that a guard can look up. */
export interface RiskSolution {
  /**
   * Float64Array(chain.states * automaton.states): entry s * automaton.states + q bounds the probability of a violation after
   * the automaton has read the valuation of s and come to q. NaN, on which no guard allows, at start and end, and if no word
   * ending in that valuation leads to q.
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
 * satisfied. States without data count as [0,1].
 *
 * @param options the solver's; default precision 1e-6, absolute.
 * @throws InvalidArgumentError if no run can violate the rule (such as `F goal` under `weak`), the horizon is not a natural
 * number, or the method is `value-iteration`, which has no bounds; InvalidModelError if, under `strong`, a run may go on for
 * ever without its obligation being met or broken; NotConvergedError as the solver.
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

/** Before the first step: the mean over the first states. The values do not exceed `most`. */
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
 * Checks that a strong rule is judged on almost every run.
 *
 * @throws InvalidModelError with the state at fault, if a run may go on for ever without its obligation being met or broken
 */
export function requireJudged({ chain, automaton, atEnd }: RiskProblem): void {
  using product = openJointProduct(chain, [{ automaton, atEnd }]);
  requireEnds(product);
}

/** @throws InvalidArgumentError for a horizon that is not a number of steps */
export function requireHorizons(horizons: readonly number[]): void {
  for (const steps of horizons) {
    if (Number.isInteger(steps) && steps >= 0) continue;
    throw new InvalidArgumentError(`the horizon is ${steps}; expected a number of steps, 0 or more`);
  }
}

/**
 * Checks that some run can violate a rule.
 *
 * @throws InvalidArgumentError if none can: such a rule is vacuous
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
