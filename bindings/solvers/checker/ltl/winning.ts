import {
  LtlAutomaton,
  type LtlGuess,
  LtlLimitAutomaton,
  type LtlTerm,
  ltlGuesses,
} from '../../../languages/automaton/index.js';
import { BitSet, type EndComponents, getKernel } from '../../kernel/index.js';
import { type ModelRows, multiply, type StateProduct } from './multiply.js';

const NO_COMPONENT = 0xffffffff;

/**
 * States of the product with a formula's automaton from which the formula holds almost surely under some choices, and from
 * which play need not leave their maximal end component: `TRUE_STATE`, and all states of components in which a guess is right.
 * Only the possible transitions of rows count, not their probabilities.
 *
 * Within an end component every state can be reached from every other, and the remaining obligation is part of the state. A
 * positive probability of satisfying it from one state can therefore be retried until it succeeds, from all of them. Such a
 * state exists iff, for some guess, play can keep to a part of the component in which the guess is never refused and is
 * confirmed again and again. Conversely, a path that satisfies the formula stays in some component and makes one of finitely
 * many guesses right.
 */
export function winningStates(
  product: StateProduct,
  automaton: LtlAutomaton,
  letterOf: Uint32Array,
  signal?: AbortSignal,
): BitSet {
  const { states, automatonState, modelState } = product;
  const { TRUE_STATE, FALSE_STATE } = LtlAutomaton;
  const open = BitSet.where(
    states,
    (p) => automatonState[p] !== TRUE_STATE && automatonState[p] !== FALSE_STATE,
  );
  const components = endComponents(product, open);
  const undecided = new Set(Array.from({ length: components.count }, (_, c) => c));
  const letters = modelState.map((s) => letterOf[s]);
  const leftIn = new Map<number, LtlTerm>();
  for (let p = 0; p < states; p++) {
    const q = automatonState[p];
    if (components.componentOf[p] !== NO_COMPONENT && !leftIn.has(q)) leftIn.set(q, automaton.termOf(q));
  }
  for (const guess of ltlGuesses(automaton.terms, [...leftIn.values()])) {
    if (undecided.size === 0) break;
    signal?.throwIfAborted();
    for (const c of confirmed(product, { automaton, guess, leftIn, letters, components, undecided }))
      undecided.delete(c);
  }
  return BitSet.where(states, (p) => {
    const component = components.componentOf[p];
    return automatonState[p] === TRUE_STATE || (component !== NO_COMPONENT && !undecided.has(component));
  });
}

/** The undecided components with a part in which a guess is confirmed again and again, and never refused. */
function confirmed(
  product: StateProduct,
  given: {
    readonly automaton: LtlAutomaton;
    readonly guess: LtlGuess;
    readonly leftIn: ReadonlyMap<number, LtlTerm>;
    readonly letters: Uint32Array;
    readonly components: EndComponents;
    readonly undecided: ReadonlySet<number>;
  },
): Set<number> {
  const { automaton, guess, leftIn, letters, components, undecided } = given;
  const { REFUSED } = LtlLimitAutomaton;
  const limit = new LtlLimitAutomaton(automaton, guess);
  const entries = new Map([...leftIn].map(([q, left]) => [q, limit.enter(left)]));
  const seeds: [number, number][] = [];
  if ([...entries.values()].every((entry) => entry === REFUSED)) return new Set();
  for (let p = 0; p < product.states; p++) {
    if (!undecided.has(components.componentOf[p])) continue;
    const entry = entries.get(product.automatonState[p]) as number;
    if (entry !== REFUSED) seeds.push([p, entry]);
  }
  const winning = new Set<number>();
  if (seeds.length === 0) return winning;
  const watched = multiply(
    product,
    {
      letterOf: letters,
      step: (q, letter) => limit.step(q, letter),
      isFinal: (q) => q === REFUSED,
    },
    seeds,
    { rows: components.rows },
  );
  const kept = endComponents(
    watched,
    BitSet.where(watched.states, (w) => watched.automatonState[w] !== REFUSED),
  );
  for (let w = 0; w < watched.states; w++) {
    if (kept.componentOf[w] !== NO_COMPONENT && limit.confirms(watched.automatonState[w]))
      winning.add(components.componentOf[watched.modelState[w]]);
  }
  return winning;
}

/**
 * Maximal end components among some states, by possible transitions alone. Empty rows, those of states without data, are in no
 * component.
 */
function endComponents(
  { states, rowGroupStart, rowStart, columns }: StateProduct,
  within: BitSet,
): EndComponents {
  const closed = closeRows({ rowGroupStart, rowStart, columns });
  const values = new Float64Array(closed.columns.length);
  for (let row = 0; row + 1 < closed.rowStart.length; row++)
    values.fill(
      1 / (closed.rowStart[row + 1] - closed.rowStart[row]),
      closed.rowStart[row],
      closed.rowStart[row + 1],
    );
  const subset = within.clone();
  for (let p = 0; p < states; p++)
    if (rowStart[rowGroupStart[p]] === rowStart[rowGroupStart[p + 1]]) subset.delete(p);
  using graph = getKernel().mdp({ ...closed, values });
  return graph.endComponents(subset);
}

/** Gives states without data a self-loop, which the kernel requires; rows with entries do not change. */
function closeRows(rows: Required<ModelRows>): Required<ModelRows> {
  const { rowGroupStart, rowStart, columns } = rows;
  const states = rowGroupStart.length - 1;
  const empty: number[] = [];
  for (let row = 0; row + 1 < rowStart.length; row++)
    if (rowStart[row] === rowStart[row + 1]) empty.push(row);
  if (empty.length === 0) return rows;
  const starts = new Uint32Array(rowStart.length);
  const targets = new Uint32Array(columns.length + empty.length);
  let n = 0;
  for (let p = 0; p < states; p++) {
    for (let row = rowGroupStart[p]; row < rowGroupStart[p + 1]; row++) {
      if (rowStart[row] === rowStart[row + 1]) targets[n++] = p;
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) targets[n++] = columns[e];
      starts[row + 1] = n;
    }
  }
  return { rowGroupStart, rowStart: starts, columns: targets };
}
