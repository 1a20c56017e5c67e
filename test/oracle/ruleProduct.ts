import {
  type Automaton,
  bindAutomaton,
  OPEN,
  SATISFIED,
  VIOLATED,
} from '../../bindings/languages/automaton/index.js';
import type { ChainView } from '../../bindings/solvers/checker/index.js';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import { dtmcFromRows, type Transition } from '../../bindings/solvers/model/index.js';
import { ExactChain } from './chain.js';

interface Rule {
  readonly automaton: Automaton;
  readonly atEnd: 'strong' | 'weak';
}

/**
 * The product of a chain and rules by its definition: chain states with tuples of automaton states, the chain's row followed whatever
 * the automata say until one rule is violated, and two more states for `end`. Where a chain state has no row the product stays.
 */
export interface RuleProduct {
  readonly chain: ExactChain;
  readonly violated: BitSet;
  /** Of chain states without a row, some rule being open. */
  readonly withoutData: BitSet;
  /** The state of a chain state with a tuple. */
  indexOf(state: number, tuple: readonly number[]): number;
}

/** @param seeds states and tuples that the product shall have; it is closed under steps. */
export function ruleProduct(
  rows: readonly (readonly Transition[])[],
  view: ChainView,
  rules: readonly Rule[],
  seeds: readonly (readonly [state: number, tuple: readonly number[]])[],
): RuleProduct {
  const steppers = rules.map(({ automaton }) => bindAutomaton(automaton, view.predicates));
  const end = rows.length - 1;
  const [good, bad] = [0, 1];
  const found: { state: number; tuple: readonly number[] }[] = [];
  const indices = new Map<string, number>();
  const enter = (state: number, tuple: readonly number[]): number => {
    const key = [state, ...tuple].join();
    let index = indices.get(key);
    if (index === undefined) {
      index = found.push({ state, tuple }) + 1;
      indices.set(key, index);
    }
    return index;
  };
  const isViolated = (tuple: readonly number[]): boolean =>
    tuple.some((q, i) => rules[i].automaton.verdict[q] === VIOLATED);
  const isUndecided = ({ state, tuple }: (typeof found)[number]): boolean =>
    rows[state].length === 0 && tuple.some((q, i) => rules[i].automaton.verdict[q] !== SATISFIED);
  const breaksAtEnd = (tuple: readonly number[]): boolean =>
    tuple.some((q, i) => {
      const { automaton, atEnd } = rules[i];
      return atEnd === 'strong' && automaton.verdict[q] === OPEN && !automaton.accepting[q];
    });
  for (const [state, tuple] of seeds) enter(state, tuple);
  const all: Transition[][] = [[[good, 1]], [[bad, 1]]];
  for (let i = 0; i < found.length; i++) {
    const { state, tuple } = found[i];
    if (isViolated(tuple) || rows[state].length === 0) {
      all.push([[i + 2, 1]]);
      continue;
    }
    const row = new Map<number, number>();
    for (const [t, p] of rows[state]) {
      const next =
        t === end
          ? breaksAtEnd(tuple)
            ? bad
            : good
          : enter(
              t,
              tuple.map((q, k) => steppers[k].step(q, view.valuations, t * view.words)),
            );
      row.set(next, (row.get(next) ?? 0) + p);
    }
    all.push([...row].sort(([a], [b]) => a - b));
  }
  const states = all.length;
  const violated = BitSet.where(states, (s) => s === bad || (s > bad && isViolated(found[s - 2].tuple)));
  return {
    chain: new ExactChain(dtmcFromRows(all)),
    violated,
    withoutData: BitSet.where(states, (s) => s > bad && !violated.has(s) && isUndecided(found[s - 2])),
    indexOf: (state, tuple) => enter(state, tuple),
  };
}
