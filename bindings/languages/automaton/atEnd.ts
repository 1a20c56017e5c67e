import { type Automaton, OPEN, VIOLATED } from './automaton.js';

/** How a rule judges the end of a run: under `strong`, the run must satisfy the rule; under `weak`, a run may end in any state that is not violated. */
export type AtEnd = 'strong' | 'weak';

/** Whether the end of a run breaks a rule that was open until then, with its automaton in state `q`. */
export function brokenAtEnd({ verdict, accepting }: Automaton, q: number, atEnd: AtEnd): boolean {
  return atEnd === 'strong' && verdict[q] === OPEN && accepting[q] === 0;
}

/** Whether a run that ends with the automaton in state `q` violates the rule, before or at its end. */
export function violatedAtEnd(automaton: Automaton, q: number, atEnd: AtEnd): boolean {
  return automaton.verdict[q] === VIOLATED || brokenAtEnd(automaton, q, atEnd);
}
