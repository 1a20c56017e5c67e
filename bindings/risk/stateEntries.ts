import type { LearntView } from '../learning/index.js';
import { type RuleRisk, verdictName } from './ruleRisk.js';

/** Where in a rule's table an entry stands: a chain state, and a state of the rule's automaton. */
export interface StateEntry {
  /** Chain state, from 0 in order of discovery; state 0 of the guard file is the same. */
  readonly state: number;
  /** The state in words. */
  readonly description: string;
  /** How often the state was left in the data; 0 is unknown to a guard, whatever the bounds. */
  readonly draws: number;
  readonly automatonState: number;
  readonly verdict: 'open' | 'violated' | 'satisfied';
}

/** All that a run can come to with the rule undecided until then, each with what `of` has on its place in the rule's arrays. */
export function stateEntries<T extends object>(
  { automaton: { states, verdict }, arrived }: Pick<RuleRisk, 'automaton' | 'arrived'>,
  { draws }: Pick<LearntView, 'draws'>,
  descriptions: readonly string[],
  of: (entry: number) => T,
): (StateEntry & T)[] {
  return arrived.flatMap((isArrived, entry) => {
    if (!isArrived) return [];
    const state = Math.floor(entry / states);
    const automatonState = entry % states;
    return {
      state,
      description: descriptions[state],
      draws: draws[state],
      automatonState,
      verdict: verdictName(verdict[automatonState]),
      ...of(entry),
    };
  });
}
