import { InvalidArgumentError, NotSupportedError } from '../../../base/errors.js';
import { LtlAutomaton, type LtlFormula, type LtlTerm, LtlTerms } from '../../../languages/automaton/index.js';
import { BitSet } from '../../kernel/index.js';
import type { Model } from '../../model/index.js';
import { type Directions, normaliseDirections, opposite } from '../quantities/index.js';
import { lettersOf } from './letters.js';
import { multiply, type StateProduct } from './multiply.js';
import { productModel } from './productModel.js';
import { winningStates } from './winning.js';

/** Limits of the product of model and automaton. */
export interface LtlOptions {
  /** States whose values are requested; others cost nothing and get no value. Default: all. */
  seeds?: BitSet;
  /** The largest number of automaton states. Default 100,000. */
  maxAutomatonStates?: number;
  /** The largest number of product states. Default 50,000,000. */
  maxProductStates?: number;
  signal?: AbortSignal;
}

/** The probability of a path formula as reachability in the product of model and automaton. */
export interface LtlReachability {
  /** Model × automaton, of the model's type. */
  readonly model: Model;
  /** The origin of its states, rows and entries. */
  readonly product: StateProduct;
  readonly directions: Directions;
  /** The undecided product states. */
  readonly remain: BitSet;
  readonly target: BitSet;
  /** Whether the requested probability is that of missing the target. */
  readonly complemented: boolean;
  /** The product state of a model state of `seeds`, after the automaton has read it. */
  stateOf(modelState: number): number;
}

/**
 * Reduces the probability of a path formula to that of reaching a set of product states. For a co-safe formula, or the negation
 * of a safe one, these are the states in which a prefix has shown it. For other formulas, play finally stays in some maximal
 * end component, and a maximising scheduler satisfies the formula almost surely in those of `winningStates`; a minimising
 * scheduler maximises the probability of the negation. Nature cannot leave or avoid end components if all lower bounds are
 * positive.
 *
 * @throws NotSupportedError if automaton or product are too large, or if the formula is neither co-safe nor safe and the model
 *   is an interval model with lower bounds of 0
 * @throws InvalidArgumentError for missing atoms, atoms over another number of states, and wrong directions
 */
export function ltlReachability(
  model: Model,
  directions: Directions,
  formula: LtlFormula,
  atoms: readonly BitSet[],
  options: LtlOptions = {},
): LtlReachability {
  checkAtoms(model, formula, atoms);
  const normalised = normaliseDirections(model, directions);
  const terms = new LtlTerms();
  const positive = terms.of(formula);
  const { cosafe, safe } = terms.traitsOf(positive);
  const scheduled = model.type === 'mdp' || model.type === 'imdp';
  const complemented = !cosafe && (safe || (scheduled && normalised[0] === 'min'));
  if (!cosafe && !safe) requireFixedTransitions(model);
  return reachability(model, terms, complemented ? terms.dual(positive) : positive, atoms, options, {
    directions: complemented ? opposite(normalised) : normalised,
    complemented,
  });
}

/**
 * Reaching a position at which a co-safe formula is known to hold: as soon as the positions read so far show it for every
 * continuation. `X a` is never known before the next position is read, not even `X true`.
 *
 * @throws NotSupportedError if the formula is not co-safe, and as `ltlReachability`
 */
export function cosafeReachability(
  model: Model,
  directions: Directions,
  formula: LtlFormula,
  atoms: readonly BitSet[],
  options: LtlOptions = {},
): LtlReachability {
  checkAtoms(model, formula, atoms);
  const terms = new LtlTerms({ readsAhead: true });
  const term = terms.of(formula);
  if (!terms.traitsOf(term).cosafe) {
    throw new NotSupportedError(
      'rewards are earned until a path formula is satisfied, and this one is not co-safe: no prefix of a path can show G, W or R without a bound, nor the negation of F or U',
    );
  }
  return reachability(model, terms, term, atoms, options, {
    directions: normaliseDirections(model, directions),
    complemented: false,
  });
}

function reachability(
  model: Model,
  terms: LtlTerms,
  term: LtlTerm,
  atoms: readonly BitSet[],
  { seeds, maxAutomatonStates, maxProductStates, signal }: LtlOptions,
  question: Pick<LtlReachability, 'directions' | 'complemented'>,
): LtlReachability {
  const { TRUE_STATE, FALSE_STATE } = LtlAutomaton;
  const letters = lettersOf(model.states, atoms);
  const automaton = new LtlAutomaton(terms, letters, maxAutomatonStates);
  const start = automaton.stateOf(term);
  const begin = (s: number) => automaton.step(start, letters.ofState[s]);
  // A model needs at least one state, even without seeds.
  const asked = seeds === undefined ? BitSet.full(model.states) : seeds.union(BitSet.of(model.states, [0]));
  const product = multiply(
    model,
    {
      letterOf: letters.ofState,
      step: (q, letter) => automaton.step(q, letter),
      isFinal: (q) => q === TRUE_STATE || q === FALSE_STATE,
    },
    pairs(asked, begin),
    { ...(maxProductStates !== undefined && { maxStates: maxProductStates }), ...(signal && { signal }) },
  );
  const { states, automatonState } = product;
  const target = terms.traitsOf(term).cosafe
    ? BitSet.where(states, (p) => automatonState[p] === TRUE_STATE)
    : winningStates(product, automaton, letters.ofState, signal);
  return {
    ...question,
    model: productModel(model, product),
    product,
    remain: BitSet.where(states, (p) => automatonState[p] !== FALSE_STATE && !target.has(p)),
    target,
    stateOf: (s) => product.find(s, begin(s)),
  };
}

function* pairs(states: BitSet, begin: (s: number) => number): Generator<[number, number]> {
  for (const s of states) yield [s, begin(s)];
}

function requireFixedTransitions(model: Model): void {
  if (model.type !== 'idtmc' && model.type !== 'imdp') return;
  const free = model.lower.indexOf(0);
  if (free < 0) return;
  throw new NotSupportedError(
    `the path formula is neither co-safe nor safe, and transition ${free} of the interval model has lower bound 0: which end components there are would depend on nature; use positive lower bounds`,
  );
}

function checkAtoms(model: Model, formula: LtlFormula, atoms: readonly BitSet[]): void {
  const wrong = atoms.findIndex(({ size }) => size !== model.states);
  if (wrong >= 0) {
    throw new InvalidArgumentError(
      `atom ${wrong} is a set over ${atoms[wrong].size} states, but the model has ${model.states}`,
    );
  }
  const highest = highestAtom(formula);
  if (highest >= atoms.length) {
    throw new InvalidArgumentError(
      `the path formula has atom ${highest}, but ${atoms.length} sets were given`,
    );
  }
}

function highestAtom(formula: LtlFormula): number {
  if (formula.kind === 'boolean') return -1;
  if (formula.kind === 'atom') return formula.atom;
  if ('operand' in formula) return highestAtom(formula.operand);
  return Math.max(highestAtom(formula.left), highestAtom(formula.right));
}
