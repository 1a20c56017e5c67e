import { type Automaton, OPEN, VIOLATED } from './automaton.js';

/** What a rule asks of the end of a run: `strong`, that the run satisfies it; `weak`, only that no prefix of it is beyond repair. */
export type AtEnd = 'strong' | 'weak';

/** Whether the end of a run breaks a rule that was open until then, its automaton being in state `q`. */
export function brokenAtEnd({ verdict, accepting }: Automaton, q: number, atEnd: AtEnd): boolean {
  return atEnd === 'strong' && verdict[q] === OPEN && accepting[q] === 0;
}

/** Whether a run that ends with the automaton in state `q` violates the rule: before, or by its end. */
export function violatedAtEnd(automaton: Automaton, q: number, atEnd: AtEnd): boolean {
  return automaton.verdict[q] === VIOLATED || brokenAtEnd(automaton, q, atEnd);
}
