import { type Automaton, buildAutomaton } from '../../automaton/index.js';
import type { Formula } from '../../logic/index.js';

/** A small automaton with its successors by letter; bit i of a letter is the value of the i-th variable. State 0 is before the first step. */
export interface LetterTable {
  /** The predicates on which something depends. */
  readonly variables: readonly string[];
  readonly next: readonly (readonly number[])[];
  readonly accepting: readonly boolean[];
}

/** Limits of formulas that are compared with patterns: predicates on which something depends, states, and work. */
const MAX_VARIABLES = 4;
const MAX_STATES = 32;
const MAX_WORK = 300;

/** The smallest automaton of a formula, or null if it is larger than any pattern's, or not to be had. */
export function letterTableOf(formula: Formula): LetterTable | null {
  let automaton: Automaton;
  try {
    automaton = buildAutomaton(formula, { maxStates: MAX_WORK });
  } catch {
    // Too large, a window in time, or a probability: the formula is said by its structure.
    return null;
  }
  const { predicates, nodes, roots, states, initial, accepting } = automaton;
  const used = [...new Set(Array.from({ length: nodes.length / 3 }, (_, node) => nodes[3 * node]))].sort(
    (a, b) => a - b,
  );
  if (used.length > MAX_VARIABLES || states > MAX_STATES) return null;
  const successor = (state: number, letter: number): number => {
    let reference = roots[state];
    while (reference >= 0) {
      const value = (letter >> used.indexOf(nodes[3 * reference])) & 1;
      reference = nodes[3 * reference + 1 + value];
    }
    return -reference - 1;
  };
  // The state before the first step is one of its own: whether the run without a step is accepted does not matter.
  const rowOf = (state: number): number[] =>
    Array.from({ length: 1 << used.length }, (_, letter) => successor(state, letter) + 1);
  return {
    variables: used.map((variable) => predicates[variable]),
    next: [rowOf(initial), ...Array.from({ length: states }, (_, state) => rowOf(state))],
    accepting: [false, ...Array.from({ length: states }, (_, state) => accepting[state] === 1)],
  };
}

/** A choice of which variable, or its negation, stands in each place. */
export interface Assignment {
  /** For each place, the number of the variable. */
  readonly variables: readonly number[];
  /** For each place, whether the variable is negated. */
  readonly negated: readonly boolean[];
}

/** A text that two tables share, each under its assignment, if and only if their automata accept the same runs when places are read as the variables. */
export function keyUnder({ next, accepting }: LetterTable, { variables, negated }: Assignment): string {
  const letters = next[0].map((_, places) =>
    variables.reduce(
      (letter, variable, place) => letter | ((((places >> place) & 1) ^ Number(negated[place])) << variable),
      0,
    ),
  );
  const order = [0];
  const numberOf = new Map([[0, 0]]);
  const rows: string[] = [];
  // The list grows during the iteration.
  for (const state of order) {
    const row = letters.map((letter) => {
      const target = next[state][letter];
      let number = numberOf.get(target);
      if (number === undefined) {
        number = order.push(target) - 1;
        numberOf.set(target, number);
      }
      return number;
    });
    rows.push(`${row.join(' ')}${accepting[state] ? '!' : ''}`);
  }
  return rows.join(',');
}

/** All assignments of so many variables, those with fewer negations first. */
export function assignmentsOf(count: number): readonly Assignment[] {
  const all = Array.from({ length: 1 << count }, (_, bits) =>
    Array.from({ length: count }, (_, place) => ((bits >> place) & 1) === 1),
  ).sort((a, b) => a.filter(Boolean).length - b.filter(Boolean).length);
  const orders = ordersOf(Array.from({ length: count }, (_, i) => i));
  return all.flatMap((negated) => orders.map((variables) => ({ variables, negated })));
}

function ordersOf(numbers: readonly number[]): number[][] {
  if (numbers.length === 0) return [[]];
  return numbers.flatMap((first) =>
    ordersOf(numbers.filter((number) => number !== first)).map((rest) => [first, ...rest]),
  );
}
