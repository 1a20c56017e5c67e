import { type Automaton, OPEN, statesAfterWords, VIOLATED } from '../automaton/index.js';
import { InvalidArgumentError, InvalidModelError } from '../errors.js';
import { type Accuracy, BitSet, type Solution, type SolveOptions } from '../kernel/index.js';
import { type Bounds, rowMean } from './backward.js';
import { type ChainView, type KernelHeldProduct, openProduct } from './product.js';
import { refuseEstimates } from './refuseEstimates.js';
import { hull } from './solveEvent.js';

/** A chain, the automaton of a rule, and what counts as a violation. */
export interface RiskProblem {
  readonly chain: ChainView;
  readonly automaton: Automaton;
  /** `strong` asks that a finished run satisfies the rule; `weak` only that no prefix of it is beyond repair. */
  readonly atEnd: 'strong' | 'weak';
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
  for (const steps of horizonSteps === null ? horizons : [horizonSteps, ...horizons]) {
    if (Number.isInteger(steps) && steps >= 0) continue;
    throw new InvalidArgumentError(`the horizon is ${steps}; expected a number of steps, 0 or more`);
  }
  refuseEstimates(options);
  requireViolable(automaton, atEnd);
  using product = openProduct(chain, automaton, atEnd);
  if (atEnd === 'strong') requireEnd(product);
  const solution = solve(product, horizonSteps, options);
  const { accuracy, method, iterations } = solution;
  const [startLower, startUpper] = rowMean(chain, chain.start, {
    lower: Float64Array.from(product.first, (node) => (node < 0 ? 0 : solution.lower[node])),
    upper: Float64Array.from(product.first, (node) => (node < 0 ? 0 : solution.upper[node])),
  });
  const entries = (values: Float64Array) =>
    Float64Array.from(product.nodeOf, (node) => (node < 0 ? Number.NaN : values[node]));
  const within = solveWithin(product, horizons, options);
  return {
    lower: entries(solution.lower),
    upper: entries(solution.upper),
    start: { lower: startLower, upper: startUpper },
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

/** Bounds on reaching a violation; from states without data once never, once at once, if a step is left for it. */
function solve(
  { kernel, nodes, violated, withoutData }: KernelHeldProduct,
  horizonSteps: number | null,
  options: SolveOptions,
): Solution {
  const reach = (target: BitSet): Solution =>
    horizonSteps === null
      ? kernel.until(BitSet.full(nodes), target, options)
      : kernel.boundedUntil(BitSet.full(nodes), target, horizonSteps, options);
  const never = reach(violated);
  if (withoutData.count() === 0 || horizonSteps === 0) return never;
  return hull(never, reach(violated.union(withoutData)));
}

/** Bounds as `solve` gives them within each of several horizons: each goes on where the one before it stopped. */
function solveWithin(
  { kernel, nodes, violated, withoutData }: KernelHeldProduct,
  horizons: readonly number[],
  options: SolveOptions,
): Map<number, Bounds> {
  const order = [...new Set(horizons)].sort((a, b) => a - b);
  const reach = (target: BitSet): Bounds[] => {
    const active = kernel.canReach(BitSet.full(nodes), target).difference(target);
    const values = Float64Array.from({ length: nodes }, (_, node) => Number(target.has(node)));
    let bounds: Bounds = { lower: values, upper: values };
    return order.map((steps, i) => {
      bounds = kernel.stepBack(bounds, steps - (order[i - 1] ?? 0), { ...options, active });
      return bounds;
    });
  };
  const never = reach(violated);
  const always = withoutData.count() === 0 ? never : reach(violated.union(withoutData));
  return new Map(
    order.map((steps, i) => [
      steps,
      { lower: never[i].lower, upper: (steps === 0 ? never : always)[i].upper },
    ]),
  );
}

/**
 * Whether any run can violate a rule at all.
 *
 * @throws InvalidArgumentError where none can: such a rule is vacuous
 */
export function requireViolable(automaton: Automaton, atEnd: 'strong' | 'weak'): void {
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

/**
 * A strong rule is judged when the run ends, so where an obligation can be open the run must end (or be decided, or come to
 * a state without a row) with probability 1. States never left in the data, whose row smoothing invented, excuse what lies
 * behind them.
 */
function requireEnd(product: KernelHeldProduct): void {
  const { chain, automaton, nodes, chainState, automatonState, violated, satisfied, ended } = product;
  const { kernel, withoutData } = product;
  const open = BitSet.where(
    nodes,
    (node) => chainState[node] !== chain.end && automaton.verdict[automatonState[node]] === OPEN,
  );
  const seen = BitSet.where(nodes, (node) => open.has(node) && chain.draws[chainState[node]] > 0);
  const obliged = BitSet.where(nodes, (node) => seen.has(node) && !automaton.accepting[automatonState[node]]);
  const decided = BitSet.of(nodes, [ended.well]).union(violated).union(satisfied).union(withoutData);
  const endless = kernel.canReach(seen, obliged).difference(kernel.prob1(BitSet.full(nodes), decided));
  for (const node of endless) {
    const s = chainState[node];
    throw new InvalidModelError(
      `from state ${s} a run may go on for ever with an obligation of the rule open, so that it is never judged; ` +
        'use atEnd: weak, give what the rule promises a window, or learn from traces that end',
      { state: s },
    );
  }
}
