import { InvalidDataError } from '../../errors.js';
import { OUTSIDE } from '../transitionTable.js';
import { type ActionTally, NO_CHOICE } from './actionTally.js';
import type { LearntMdpView } from './readLearntMdp.js';

/** What an action was seen to do. Each draw is one of `changed`, `ended` and those that left every predicate as it was. */
export interface ActionEffect {
  /** The action's abstraction; its name, as a rule. */
  readonly name: string;
  /** How often something came of it. */
  readonly draws: number;
  /** Draws after which some predicate was another than before. */
  readonly changed: number;
  /** Draws after which the run ended: nothing is known of predicates there. */
  readonly ended: number;
}

/** One outcome of an action: as often as `count` says it led from a state to the same one, to another, or to the end of the run. */
interface Outcome {
  readonly name: string;
  readonly to: 'same' | 'other' | 'end';
  readonly count: number;
}

/** What each action of a learnt decision process was seen to do, over all states, in the order of the model's actions. */
export function actionEffects({ model, actions, counts, start, end }: LearntMdpView): ActionEffect[] {
  const { rowGroupStart, rowStart, columns } = model;
  const outcomes: Outcome[] = [];
  for (let state = start + 1; state < end; state++) {
    for (let row = rowGroupStart[state]; row < rowGroupStart[state + 1]; row++) {
      const name = actions[row];
      for (let i = rowStart[row]; name !== null && i < rowStart[row + 1]; i++) {
        // A state is a valuation: another state is another valuation.
        const to = columns[i] === end ? 'end' : columns[i] === state ? 'same' : 'other';
        outcomes.push({ name, to, count: counts[i] });
      }
    }
  }
  return sumUp(model.actions?.names ?? [], outcomes);
}

/** The same of what was counted so far, from which no process is made. */
export function talliedEffects({ names, pairs, outcomes }: ActionTally): ActionEffect[] {
  const found: Outcome[] = [];
  for (let pair = 0; pair < pairs.size; pair++) {
    if (pairs.to[pair] === NO_CHOICE) continue;
    const name = names[pairs.to[pair] - 1];
    for (const entry of outcomes.leaving(pair)) {
      const target = outcomes.to[entry];
      const to = target === OUTSIDE ? 'end' : target === pairs.from[pair] ? 'same' : 'other';
      found.push({ name, to, count: outcomes.counts[entry] });
    }
  }
  return sumUp(names, found);
}

function sumUp(names: readonly string[], outcomes: readonly Outcome[]): ActionEffect[] {
  const effects = new Map(names.map((name) => [name, { name, draws: 0, changed: 0, ended: 0 }]));
  for (const { name, to, count } of outcomes) {
    const effect = effects.get(name);
    if (effect === undefined) continue;
    effect.draws += count;
    if (to === 'end') effect.ended += count;
    else if (to === 'other') effect.changed += count;
  }
  return [...effects.values()];
}

/** What draws do not show of actions, in words: those that never changed a predicate, then those that runs end with. A sentence each. */
export function unseenEffects(effects: readonly ActionEffect[]): string[] {
  return [...effects.flatMap(withoutEffect), ...effects.flatMap(withoutOutcome)];
}

function withoutEffect({ name, draws, changed, ended }: ActionEffect): string[] {
  if (changed > 0 || draws === ended) return [];
  const never = `the action "${name}" never changes a predicate in ${times(draws)}`;
  return ended === 0
    ? [`${never}: a guard cannot tell it from doing nothing`]
    : [`${never}, ${ended} of which end the run: a guard can tell it from doing nothing only by that`];
}

/** A complete run that ends with an action shows no state after it, and a run that has ended breaks no safety rule. */
function withoutOutcome({ name, draws, ended }: ActionEffect): string[] {
  if (ended === 0) return [];
  const some = ended === draws ? `in all of its ${times(draws)}` : `in ${ended} of its ${times(draws)}`;
  return [
    `the action "${name}" ends the run ${some}: no step shows what it did there, so that it counts as having done no harm; end such runs with one more step, without an action, that shows the state after it`,
  ];
}

/**
 * @param source named in the message, such as a specification's file
 * @throws InvalidDataError where no action ever changed a predicate: a guard of it would let every action through, or none
 */
export function requireSomeEffect(effects: readonly ActionEffect[], source?: string): void {
  if (effects.length === 0 || effects.some(({ changed }) => changed > 0)) return;
  const draws = effects.reduce((sum, effect) => sum + effect.draws, 0);
  const names = effects.slice(0, 5).map(({ name }) => `"${name}"`);
  const more = effects.length > names.length ? ` and ${effects.length - names.length} more` : '';
  throw new InvalidDataError(
    `${source === undefined ? '' : `${source}: `}learning.model is mdp, and no action ever changes a predicate: after all ${times(draws)} of ${names.join(', ')}${more} every predicate is as it was, or the run has ended, so that a guard could not tell one action from another. In a trace, the state after a step is to show what its action did: give traces with one step a call, its state observed before the call; name predicates that calls change, as 'calls.cancel > 0'; or learn a chain (learning.model: dtmc)`,
  );
}

const times = (draws: number): string => (draws === 1 ? '1 draw' : `${draws} draws`);
