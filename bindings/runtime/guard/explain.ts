import type { GuardFile, GuardRule } from './guardFile.js';
import type { GuardStep } from './guardStep.js';
import type { GuardProposal } from './proposal.js';
import { describeThreshold } from './threshold.js';

/**
 * Describes a guard's answer in words, with both numbers, but without the number of the step. `state` is null if the state is unknown; `brokenBefore`: a held
 * step before this one broke the rule.
 */
export function describeAnswer(
  result: GuardStep,
  file: GuardFile,
  state: string | null,
  error: unknown,
  brokenBefore = false,
): string {
  const rule = file.rules.find(({ name }) => name === result.rule);
  const decision = result.action === null ? result.decision : `${result.decision} by "${result.action}"`;
  const sentences = [`${decision}. ${because(result, rule, file, error, brokenBefore)}`];
  if (state !== null) sentences.push(`State: ${state}.`);
  if (result.unseenTransition) sentences.push('The data hold this state, but not the step that led to it.');
  return sentences.join(' ');
}

/** The message to an agent that must plan again. */
export function reflectionMessage(result: GuardStep, file: GuardFile, state: string | null): string {
  const rule = file.rules.find(({ name }) => name === result.rule);
  const probability =
    result.lower === 0 && result.upper === 1
      ? 'The probability that it will be broken is not known here, so it is taken as 100 %.'
      : `As you have behaved so far, it will be broken with a probability of ${result.decidedOn === 'upper' ? '' : 'up to '}${percent(result.risk)}${horizon(rule)}.`;
  return [
    state === null ? 'The present state could not be read.' : `The present state: ${state}.`,
    `The rule "${result.rule}" must hold: ${rule?.formula ?? result.rule}.`,
    probability,
    'Do not go on as planned. Say what in your plan could break the rule, then choose a next action that avoids it; if there is none, stop.',
  ].join('\n');
}

function because(
  result: GuardStep,
  rule: GuardRule | undefined,
  file: GuardFile,
  error: unknown,
  brokenBefore: boolean,
): string {
  const named = `rule "${result.rule}" (${rule?.formula ?? 'unknown'})`;
  switch (result.reason) {
    case 'below-threshold':
    case 'at-threshold':
      return `The risk of breaking ${named}${horizon(rule)} ${risk(result, file)}; ${thresholds(rule)}.${whateverIsDone(rule, file)}${idleHere(result)}`;
    case 'violated':
      return `${brokenBefore ? brokeBefore(file) : 'This step breaks'} ${named}; its risk is 1, certified in [1, 1]; ${thresholds(rule)}.`;
    case 'after-violation':
      return `An earlier step broke ${named}.`;
    case 'escalated':
      return `The agent was asked to reflect ${rule?.maxReflections} times on ${named} and was not allowed to go on since; its risk ${risk(result, file)}.`;
    case 'over-budget':
      return `${subject(result)} would add more to the least risk of breaking ${named} than is left of the run's budget; its own least risk ${risk(result, file)}.${idleHere(result)}`;
    case 'nothing-permitted':
      return `Nothing that was ever done in this state is permitted; the risk of breaking ${named} ${risk(result, file)}; ${thresholds(rule)}.`;
    case 'untried-action':
      return `The data do not say what comes of this action in this state; ${unknown(named, result)}.`;
    case 'too-many-pending':
      return `Too many calls are still running for this one to be judged beside them by ${named}; propose it again once one has come back.`;
    case 'drift':
      return `The agent has changed, so the risk of breaking ${named}${horizon(rule)}, ${result.risk} as it was learnt, says nothing any more.`;
    case 'strategy-failed':
      return `What was decided for ${named} could not be carried out.`;
    case 'predicate-failed':
      return `The predicate "${result.predicate ?? '?'}" could not be read${message(error)}; ${unknown(named, result)}.${lenient(file)}`;
    case 'forbidden-state':
      return `The constraint on states, ${file.constraints.state}, rules this state out; ${unknown(named, result)}.`;
    case 'forbidden-transition':
      return `The constraint on transitions, ${file.constraints.transition}, rules this step out; ${unknown(named, result)}.`;
    case 'unknown-state':
      return `The data do not say how the agent goes on from this state; ${unknown(named, result)}.`;
    case 'irregular-time':
      return `The time since the previous step is not the sampling period of ${file.samplingPeriodSeconds} s; ${unknown(named, result)}.`;
  }
}

/** Explains that a rule does not distinguish actions, in a guard whose other rules do. */
function whateverIsDone(rule: GuardRule | undefined, { actions }: GuardFile): string {
  return actions === undefined || rule === undefined || rule.tables.least !== undefined
    ? ''
    : ' It is that of the state, whatever the action.';
}

function brokeBefore({ resample }: GuardFile): string {
  return `A step that was missing before this one${resample === 'hold' ? ', and repeats the one before it,' : ''} broke`;
}

function subject(result: GuardStep): string {
  return 'idle' in result && 'name' in result && result.name === null ? 'Doing nothing' : 'This action';
}

/** The risk of taking no action, if a shield refuses one. The data do not distinguish doing nothing from ending the run: both are steps without an action. */
function idleHere(result: GuardStep): string {
  const { idle = null, name = null } = result as Partial<GuardProposal>;
  if (idle === null || name === null) return '';
  const unknown = Object.values(idle.rules).every((risks) => risks === null);
  const risk = unknown ? 'is not known: the agent never did here' : `is at most ${idle.risk}`;
  return ` The risk of doing nothing, or of ending the run, ${risk}; it is ${idle.permitted ? '' : 'not '}permitted.`;
}

/** The compared number and its meaning, with the other bound if there are two. */
function risk(result: GuardStep, { decideOn, confidence }: GuardFile): string {
  const { decidedOn, lower, upper, confidenceUpper } = result;
  const certified = `certified in [${lower}, ${upper}]`;
  if (decideOn === 'upper') return `is ${result.risk}, ${certified}`;
  const sure = `at confidence ${Number((1 - (confidence?.delta ?? 0)).toPrecision(6))}`;
  return decidedOn === 'upper'
    ? `is ${result.risk}, ${certified} for the agent as learnt, and at most ${confidenceUpper} for the agent itself, ${sure}`
    : `is at most ${result.risk} for the agent itself, ${sure}, which counts, and ${certified} for the agent as learnt`;
}

/** Explains why a guard that permits unknown states did not permit this one. */
function lenient({ onUnknown }: GuardFile): string {
  if (onUnknown !== 'allow' && onUnknown !== 'report') return '';
  return ` onUnknown: ${onUnknown} is for what was read and has no data, not for what could not be read.`;
}

function unknown(named: string, { upper }: GuardStep): string {
  if (upper === 0) return `${named} cannot be broken any more`;
  return `the risk of breaking ${named} is not known and counts as 1, between 0 and 1`;
}

function horizon(rule: GuardRule | undefined): string {
  return rule === undefined || rule.horizonSteps === null ? '' : ` within ${rule.horizonSteps} steps`;
}

function thresholds(rule: GuardRule | undefined): string {
  return (rule?.levels ?? [])
    .map(({ threshold, strategy }) => `${strategy.kind} from ${describeThreshold(threshold)}`)
    .join(', ');
}

function message(error: unknown): string {
  return error instanceof Error ? ` (${error.message})` : '';
}

function percent(probability: number): string {
  return `${Number((100 * probability).toPrecision(3))} %`;
}
