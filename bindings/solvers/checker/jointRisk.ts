import type { Bounds } from '../../base/bounds.js';
import { InvalidArgumentError } from '../../base/errors.js';
import type { Accuracy, ProductOptions, SolveOptions } from '../kernel/index.js';
import type { ChainView } from '../model/index.js';
import { type JointOptions, openJointProduct, type ProductRule, requireEnds } from './jointProduct.js';
import { reachViolation, reachViolationWithin } from './reachViolation.js';
import { refuseEstimates } from './refuseEstimates.js';
import { atStart, requireHorizons, requireViolable } from './violationRisk.js';

/** A chain and several rules, any of which a run may violate. */
export interface JointRiskProblem {
  readonly chain: ChainView;
  readonly rules: readonly ProductRule[];
  /** Further horizons, in steps; the risk within each is computed too. Default: none. */
  readonly horizons?: readonly number[];
}

/** Options for solving a joint risk, and the choice of automaton-state tuples. */
export interface JointRiskOptions
  extends SolveOptions,
    Pick<JointOptions, 'from'>,
    Pick<ProductOptions, 'maxStates'> {}

/** Certified risk that any of several rules is violated, for each chain state and tuple of automaton states. */
export interface JointRiskSolution extends Bounds {
  /** The number of entries of `lower` and `upper`. */
  readonly nodes: number;
  /** The chain state of each entry; `end` has entries too. */
  readonly chainState: Uint32Array;
  /**
   * For each rule, the automaton state of each entry; at `end`, one of two states after the automaton's own: ended well, or in
   * violation.
   */
  readonly automatonState: readonly Uint32Array[];
  /** Before the first step: the mean over the first states. */
  readonly start: Bounds<number>;
  /** The risk within each of the further horizons, and from the start. */
  readonly horizons: ReadonlyMap<number, Bounds & { readonly start: Bounds<number> }>;
  readonly accuracy: Accuracy;
  readonly method: string;
  readonly transitions: number;
  /**
   * Returns the entry of a chain state and a tuple of automaton states, or -1 if the product has none. If one automaton is in
   * `violated`, the risk is 1 for every state of the others, and there may be no entry.
   */
  find(chainState: number, automatonStates: readonly number[]): number;
}

/**
 * Bounds on the probability that a run of the chain violates any of several rules, from every node of the product of the chain with
 * all their automata. A run is followed until one of them is violated.
 *
 * If every rule is strong, this is the risk of their conjunction. The conjunction of weak rules may be beyond repair before any
 * single rule is: its risk is at least this one.
 *
 * @param options `from: 'start'` builds only the nodes that runs reach (default: also those that unseen transitions lead to);
 * `maxStates` refuses larger products; the others go to the solver (default precision 1e-6, absolute).
 * @throws InvalidArgumentError without rules, or if no run can violate one of them; KernelError with the number of states found
 * and the memory needed if the product is too large; otherwise as `violationRisk`
 */
export function jointViolationRisk(
  { chain, rules, horizons = [] }: JointRiskProblem,
  { from = 'words', maxStates, ...options }: JointRiskOptions = {},
): JointRiskSolution {
  if (rules.length === 0) throw new InvalidArgumentError('a joint risk is that of at least one rule');
  requireHorizons(horizons);
  refuseEstimates(options);
  for (const { automaton, atEnd } of rules) requireViolable(automaton, atEnd);
  const { signal } = options;
  using product = openJointProduct(chain, rules, {
    from,
    ...(maxStates !== undefined && { maxStates }),
    ...(signal !== undefined && { signal }),
  });
  requireEnds(product);
  const { nodes, chainState, automatonState } = product;
  const { lower, upper, accuracy, method } = reachViolation(product, null, options);
  const within = reachViolationWithin(product, horizons, options);
  return {
    nodes,
    chainState,
    automatonState,
    lower,
    upper,
    start: atStart(product, { lower, upper }),
    horizons: new Map(
      [...within].map(([steps, bounds]) => [steps, { ...bounds, start: atStart(product, bounds) }]),
    ),
    accuracy,
    method,
    transitions: product.kernel.transitions,
    find: product.find,
  };
}
