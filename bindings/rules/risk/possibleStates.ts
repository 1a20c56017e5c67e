import { type Automaton, bindAutomaton } from '../../languages/automaton/index.js';
import { allowedValuations, type Specification } from '../specification/index.js';

/** Maximal numbers of valuations examined and of steps taken, which take less than a second. */
const MAX_VALUATIONS = 4096;
const MAX_STEPS = 4_000_000;

/** The possible states of a rule's automaton after a step. */
export interface PossibleStates {
  readonly states: ReadonlySet<number>;
  /** The subset in which a run may end. */
  readonly ends: ReadonlySet<number>;
}

/**
 * The states that a rule's automaton reaches on runs that the specification allows: comparisons do not contradict each other, and
 * constraints are satisfied.
 *
 * @returns null if the computation would take too long, or no run is allowed
 */
export function possibleStates(specification: Specification, automaton: Automaton): PossibleStates | null {
  const allowed = allowedValuations(specification, automaton.predicates, MAX_VALUATIONS);
  if (allowed === null) return null;
  const { abstraction, valuations } = allowed;
  const { words, valuations: packed, size } = valuations;
  // Without a constraint on transitions, the last valuation does not matter.
  const remembered = abstraction.definition.constraints?.transition === undefined ? 1 : size;
  if (automaton.states * remembered * size > MAX_STEPS) return null;
  const stepper = bindAutomaton(automaton, abstraction.predicates);
  const reached = new Set<number>();
  const states = new Set<number>();
  const ends = new Set<number>();
  const follow = (q: number, last: number | null): void => {
    for (let v = 0; v < size; v++) {
      if (
        last !== null &&
        remembered > 1 &&
        !abstraction.validTransition(packed, last * words, packed, v * words)
      )
        continue;
      const next = stepper.step(q, packed, v * words);
      states.add(next);
      if (abstraction.validEnd(packed, v * words)) ends.add(next);
      reached.add(next * remembered + (remembered > 1 ? v : 0));
    }
  };
  follow(automaton.initial, null);
  // A set is iterated in insertion order, including elements added during the loop.
  for (const pair of reached) follow(Math.floor(pair / remembered), pair % remembered);
  return { states, ends };
}
