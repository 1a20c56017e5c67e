import type { LearntView } from '../../estimation/learning/index.js';
import type { Dtmc, Mdp } from '../../solvers/model/index.js';
import type { NamedState } from './fileNumbers.js';
import { type RuleRisk, verdictName } from './ruleRisk.js';

/** The place of an entry in a rule's table: a chain state, and a state of the rule's automaton. */
export interface StateEntry extends NamedState {
  /** How often the state was left in the data; a guard treats 0 as unknown, whatever the bounds. */
  readonly draws: number;
  readonly automatonState: number;
  readonly verdict: 'open' | 'violated' | 'satisfied';
}

/** All entries that a run can enter while the rule is still undecided, each with the values of `of` at its place in the rule's arrays. */
export function stateEntries<T extends object>(
  { automaton: { states, verdict }, arrived }: Pick<RuleRisk, 'automaton' | 'arrived'>,
  { draws }: LearntView<Dtmc | Mdp>,
  named: readonly NamedState[],
  of: (entry: number) => T,
): (StateEntry & T)[] {
  return arrived.flatMap((isArrived, entry) => {
    if (!isArrived) return [];
    const state = Math.floor(entry / states);
    const automatonState = entry % states;
    return {
      ...named[state],
      draws: draws[state],
      automatonState,
      verdict: verdictName(verdict[automatonState]),
      ...of(entry),
    };
  });
}
