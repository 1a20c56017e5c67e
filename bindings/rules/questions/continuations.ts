import { type ComparedTrace, type Demand, shortestTrace } from '../../languages/automaton/compare/index.js';
import { type Automaton, VIOLATED } from '../../languages/automaton/index.js';
import type { Formula } from '../../languages/logic/index.js';
import type { AskParts } from './before.js';
import type { Tuple } from './beliefs.js';
import type { Track } from './knowledge.js';
import { all, literalsOf } from './literals.js';
import type { Situation } from './run.js';

/** What a continuation owes at its end: that rules are not broken so far, or that they let the run end there. */
export type AtItsEnd = 'unbroken' | 'ends';

/** What continuations are found with. */
export type SearchParts = Pick<AskParts, 'knowledge' | 'beliefs' | 'limits'>;

/**
 * The shortest continuation of a run, from the step at hand on, that the rules and the assumptions allow and that meets further demands; whatever may be read
 * later is possible. Null if there is none.
 *
 * @param demands formulas on the continuation from the step at hand on
 * @param further automata that have read the steps that are done
 * @throws NotSupportedError if it takes too much
 */
export function continuation(
  { knowledge, beliefs, limits }: SearchParts,
  { now, broken }: Situation,
  tuples: readonly Tuple[],
  atEnd: AtItsEnd,
  demands: readonly Formula[],
  further: readonly Demand[] = [],
): ComparedTrace | null {
  const rules = new Map<string, Demand>();
  for (const tuple of tuples)
    beliefs.tracks.forEach((track, t) => {
      if (track.rule !== null && broken.includes(track.rule)) return;
      rules.set(`${t} ${tuple[t]}`, { automaton: from(track, tuple[t], atEnd), accepts: true });
    });
  const asked = demands.map((formula) => ({ automaton: knowledge.automatonOf(formula), accepts: true }));
  const read = [...rules.values(), ...asked, ...further].flatMap(({ automaton }) => automaton.predicates);
  const first = literalsOf(now, knowledge.predicates, new Set(read));
  const begins = first.length === 0 ? [] : [{ automaton: knowledge.automatonOf(all(first)), accepts: true }];
  return shortestTrace([...rules.values(), ...begins, ...asked, ...further], limits.tuples);
}

/** The automaton of a track from a state on. */
function from({ automaton, rule, atEnd }: Track, state: number, how: AtItsEnd): Automaton {
  const isWeak = how === 'unbroken' || (rule !== null && atEnd === 'weak');
  return {
    ...automaton,
    initial: state,
    ...(isWeak && {
      accepting: Array.from(automaton.verdict, (verdict) => Number(verdict !== VIOLATED)),
    }),
  };
}
