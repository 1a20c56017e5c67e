import { type Automaton, buildAutomaton } from '../../automaton/index.js';
import type { Formula } from '../../logic/index.js';

const built = new WeakMap<Formula, Automaton>();

/** The automaton of a reading, which is sorted, compared and asked about: built once. */
export function automatonOf(formula: Formula): Automaton {
  const known = built.get(formula);
  if (known !== undefined) return known;
  const automaton = buildAutomaton(formula);
  built.set(formula, automaton);
  return automaton;
}
