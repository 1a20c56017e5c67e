import { expect, test } from 'vitest';
import {
  LtlAutomaton,
  type LtlFormula,
  LtlTerms,
  ltlGuesses,
} from '../../../../bindings/languages/automaton/index.js';
import { and, atom, F, G, implies, not, or, within, X, yes } from '../../../oracle/ltlShorthand.js';

/** Letter 1 has all atoms, letter 0 none. */
const two = { count: 2, holds: (letter: number) => letter === 1 };

function read(formula: LtlFormula, letters: number[], readsAhead = false): number[] {
  const terms = new LtlTerms({ readsAhead });
  const automaton = new LtlAutomaton(terms, two);
  let state = automaton.stateOf(terms.of(formula));
  return letters.map((letter) => (state = automaton.step(state, letter)));
}

function statesOf(formula: LtlFormula): number {
  const terms = new LtlTerms();
  const automaton = new LtlAutomaton(terms, two);
  automaton.stateOf(terms.of(formula));
  for (let state = 0; state < automaton.states; state++)
    for (const letter of [0, 1]) automaton.step(state, letter);
  return automaton.states;
}

const conjunction = (operands: LtlFormula[]) => operands.reduce(and);
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

test('a bound of k steps takes k + 1 states, and the two that are decided', () => {
  expect(statesOf(within('finally', 0, 7, atom(0)))).toBe(10);
});

test('of pending deadlines only the nearest is kept', () => {
  expect(statesOf(G(implies(X(atom(0)), within('finally', 0, 7, not(atom(0))))))).toBeLessThan(12);
});

test('what is the same at every position takes one state', () => {
  expect(statesOf(and(G(F(atom(0))), or(F(G(atom(1))), G(F(atom(2))))))).toBe(3);
});

test('a formula is known to hold once no more has to be read', () => {
  const { TRUE_STATE } = LtlAutomaton;
  expect(read(F(atom(0)), [0, 1, 0])).toEqual([expect.any(Number), TRUE_STATE, TRUE_STATE]);
  expect(read(X(yes), [0, 0], true)[0]).not.toBe(TRUE_STATE);
  expect(read(X(yes), [0, 0], true)[1]).toBe(TRUE_STATE);
  expect(read(X(yes), [0])).toEqual([TRUE_STATE]);
});

test('a state with too many alternatives is refused', () => {
  const terms = new LtlTerms();
  const automaton = new LtlAutomaton(terms, two);
  const term = terms.of(conjunction(numbers(13).map((i) => or(F(atom(i)), G(atom(20 + i))))));
  expect(() => automaton.stateOf(term)).toThrow('more than 1024 alternatives');
});

test('an automaton with too many states is refused, with the size reached', () => {
  const terms = new LtlTerms();
  const automaton = new LtlAutomaton(terms, two, 50);
  let state = automaton.stateOf(terms.of(within('finally', 0, 60, atom(0))));
  expect(() => {
    for (let i = 0; i < 60; i++) state = automaton.step(state, 0);
  }).toThrow('more than 50 states');
});

test('guesses that show no more than others are left out', () => {
  const terms = new LtlTerms();
  const fairness = (i: number) => implies(G(F(atom(2 * i))), G(F(atom(2 * i + 1))));
  const term = terms.of(conjunction(numbers(3).map(fairness)));
  expect(ltlGuesses(terms, [term]).length).toBe(8);
});

test('too many guesses are refused', () => {
  const terms = new LtlTerms();
  const fairness = (i: number) => implies(G(F(atom(2 * i))), G(F(atom(2 * i + 1))));
  const term = terms.of(conjunction(numbers(9).map(fairness)));
  expect(() => ltlGuesses(terms, [term])).toThrow('more than 100000 ways');
});
