import { InvalidDataError } from '../../../base/errors.js';
import type { LearntMdpView } from '../learntView.js';
import { START_OR_END } from '../transitionTable.js';
import type { ActionTally } from './actionTally.js';

/** The observed outcomes of an action. Each draw either is in `changed`, is in `ended`, or left every predicate as it was. */
export interface ObservedEffect {
  /** Number of draws: how often an outcome was observed. */
  readonly draws: number;
  /** Draws after which some predicate had a different value. */
  readonly changed: number;
  /** Draws after which the run ended: predicates are unknown there. */
  readonly ended: number;
}

/** The observed effect of an action. */
export interface ActionEffect extends ObservedEffect {
  /** The action's abstraction; usually its name. */
  readonly name: string;
}

/** One outcome of an action, or of no action: `count` is how often it led from a state to the same one, to another, or to the end of the run. */
interface Outcome {
  /** The row of the model, or the pair of the tally. */
  readonly choice: number;
  readonly name: string | null;
  readonly to: 'same' | 'other' | 'end';
  readonly count: number;
}

/** The observed effect of each action of a learnt decision process, over all states, in the order of the model's actions. */
export function actionEffects(view: LearntMdpView): ActionEffect[] {
  return inOrder(view.model.actions?.names ?? [], summedUp(outcomesIn(view)));
}

/** The observed effect of steps without an action: doing nothing, or the end of the run. */
export function idleEffect(view: LearntMdpView): ObservedEffect {
  return summedUp(outcomesIn(view)).get(null) ?? NEVER;
}

/** As `idleEffect`, over the states in which some such steps ended the run and others did not. */
export function mixedIdleEffect(view: LearntMdpView): ObservedEffect {
  return mixed(outcomesIn(view));
}

/** As `actionEffects`, on the counts so far, without building a process. */
export function talliedEffects(tally: ActionTally): ActionEffect[] {
  return inOrder(tally.names, summedUp(talliedOutcomes(tally)));
}

/** As `idleEffect`, on the counts so far. */
export function talliedIdleEffect(tally: ActionTally): ObservedEffect {
  return summedUp(talliedOutcomes(tally)).get(null) ?? NEVER;
}

/** As `mixedIdleEffect`, on the counts so far. */
export function talliedMixedIdleEffect(tally: ActionTally): ObservedEffect {
  return mixed(talliedOutcomes(tally));
}

const NEVER: ObservedEffect = { draws: 0, changed: 0, ended: 0 };

function outcomesIn({ model, stateOf, actions, counts, start, end }: LearntMdpView): Outcome[] {
  const { rowStart, columns } = model;
  return actions.flatMap((name, row) => {
    const from = stateOf[row];
    if (from === start || from === end) return [];
    // A state is a valuation, so another state has another valuation.
    return Array.from(
      columns.subarray(rowStart[row], rowStart[row + 1]),
      (to, i): Outcome => ({
        choice: row,
        name,
        to: to === end ? 'end' : to === from ? 'same' : 'other',
        count: counts[rowStart[row] + i],
      }),
    );
  });
}

function talliedOutcomes(tally: ActionTally): Outcome[] {
  const { names, pairs, outcomes } = tally;
  const found: Outcome[] = [];
  for (let pair = 0; pair < pairs.size; pair++) {
    const name = names[tally.actionOf(pair)] ?? null;
    for (const entry of outcomes.leaving(pair)) {
      const target = outcomes.to[entry];
      const to = target === START_OR_END ? 'end' : target === pairs.from[pair] ? 'same' : 'other';
      found.push({ choice: pair, name, to, count: outcomes.counts[entry] });
    }
  }
  return found;
}

/** Effects by name of the action; null if there was none. */
function summedUp(outcomes: readonly Outcome[]): ReadonlyMap<string | null, ObservedEffect> {
  const effects = new Map<string | null, { draws: number; changed: number; ended: number }>();
  for (const { name, to, count } of outcomes) {
    const effect = effects.get(name) ?? { ...NEVER };
    effects.set(name, effect);
    effect.draws += count;
    if (to === 'end') effect.ended += count;
    else if (to === 'other') effect.changed += count;
  }
  return effects;
}

/** The effect of steps without an action where both kinds were seen: a state has one choice to take no action. */
function mixed(outcomes: readonly Outcome[]): ObservedEffect {
  const idle = outcomes.filter(({ name }) => name === null);
  const choices = (kept: readonly Outcome[]) =>
    new Set(kept.filter(({ count }) => count > 0).map(({ choice }) => choice));
  const ending = choices(idle.filter(({ to }) => to === 'end'));
  const goingOn = choices(idle.filter(({ to }) => to !== 'end'));
  const kept = idle.filter(({ choice }) => ending.has(choice) && goingOn.has(choice));
  return summedUp(kept).get(null) ?? NEVER;
}

function inOrder(
  names: readonly string[],
  effects: ReadonlyMap<string | null, ObservedEffect>,
): ActionEffect[] {
  return names.map((name) => ({ name, ...(effects.get(name) ?? NEVER) }));
}

/**
 * Describes in words the effects that the data do not show, one sentence each: of actions that never changed a predicate, of actions that
 * runs end with, and of steps without an action if runs always end with them, or do in some states and not always.
 *
 * @param idle the effect of steps without an action, if the agent may choose to do nothing; default: it may not
 * @param mixedIdle as `idle`, over the states in which some ended the run and others did not (`mixedIdleEffect`); default: there are none
 */
export function unseenEffects(
  effects: readonly ActionEffect[],
  idle?: ObservedEffect,
  mixedIdle: ObservedEffect = NEVER,
): string[] {
  return [
    ...effects.flatMap(withoutEffect),
    ...effects.flatMap(withoutOutcome),
    ...(idle === undefined ? [] : [...onlyAtTheEnd(idle), ...alsoAtTheEnd(mixedIdle)]),
  ];
}

function withoutEffect({ name, draws, changed, ended }: ActionEffect): string[] {
  if (changed > 0 || draws === ended) return [];
  const never = `the action "${name}" never changes a predicate in ${times(draws)}`;
  return ended === 0
    ? [`${never}: a learnt guard cannot tell it from doing nothing`]
    : [`${never}, ${ended} of which end the run: a learnt guard can tell it from doing nothing only by that`];
}

/** A complete run that ends with an action shows no state after it, and a run that has ended breaks no safety rule. */
function withoutOutcome({ name, draws, ended }: ActionEffect): string[] {
  if (ended === 0) return [];
  const some = ended === draws ? `in all of its ${times(draws)}` : `in ${ended} of its ${times(draws)}`;
  return [
    `the action "${name}" ends the run ${some}: no step shows what it did there, so that it counts as having done no harm; end such runs with one more step, without an action, that shows the state after it`,
  ];
}

/** The last steps of complete runs are taken for a choice to do nothing. No other data show what doing nothing does. */
function onlyAtTheEnd({ draws, ended }: ObservedEffect): string[] {
  if (draws === 0 || ended < draws) return [];
  return [
    `a step without an action ends the run in all of its ${times(draws)}: as something the agent may do it counts as harmless, and nothing shows what comes of it if the world goes on; mark runs that were cut with "complete": false`,
  ];
}

/** Ends of recordings do not show what doing nothing leads to, so few other steps may be all that shows it. */
function alsoAtTheEnd({ draws, ended }: ObservedEffect): string[] {
  if (ended === 0) return [];
  return [
    `${ended} of ${draws} steps without an action are ends of recordings, in states in which others went on: what doing nothing leads to there is learnt from the other ${draws - ended}`,
  ];
}

/**
 * @param source named in the message, such as a specification's file
 * @throws InvalidDataError if no action ever changed a predicate: a guard built from it would allow every action, or none
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
