import { threeDigits as rounded, threeDigitsAbove, threeDigitsBelow } from '../../base/digits.js';
import { printable } from '../../base/words.js';
import type { RiskBounds } from './actionTables.js';
import type { GuardFile, GuardRule } from './guardFile.js';
import type { GuardStep } from './guardStep.js';
import type { GuardProposal } from './proposal.js';
import { describeThreshold, meetsThreshold, riskAt } from './threshold.js';

const NEVER_SEEN = 'This action was never seen in this state';

/**
 * A guard's answer in words, with both numbers, but without the number of the step. `state` is null where the state is not known; `brokenBefore`: a step that was missing
 * before this one, and is held, broke the rule; `asAgent`: where the least risk was compared, the risk if the agent goes on as learnt, null where that is not known.
 */
export function describeAnswer(
  result: GuardStep,
  file: GuardFile,
  state: string | null,
  error: unknown,
  brokenBefore = false,
  asAgent: RiskBounds | null = null,
): string {
  const rule = file.rules.find(({ name }) => name === result.rule);
  const decision = result.action === null ? result.decision : `${result.decision} by "${result.action}"`;
  const why =
    result.rule === ''
      ? `${withoutRule(result, file, error, true)}.${lenient(result, file)}`
      : because(result, rule, file, error, brokenBefore, asAgent);
  const sentences = [`${decision}. ${why}`];
  if (state !== null) sentences.push(`State: ${state}.`);
  if (result.unseenTransition) sentences.push('The data hold this state, but not the step that led to it.');
  return sentences.join(' ');
}

/** What an agent is told that shall plan again; `asAgent` as of `describeAnswer`, `said` in place of the rule. */
export function reflectionMessage(
  result: GuardStep,
  file: GuardFile,
  state: string | null,
  asAgent: RiskBounds | null = null,
  said: string | null = null,
): string {
  const present = state === null ? 'The present state could not be read.' : `The present state: ${state}.`;
  if (result.rule === '')
    return `${present}\n${withoutRule(result, file, null, false)}.\nDo not go on as planned. Choose a next action of which it is known what comes of it here; if there is none, stop.`;
  const rule = file.rules.find(({ name }) => name === result.rule);
  const comes = rule?.evaluation === 'state' ? 'what it bounds will happen' : 'it will be broken';
  const asBehaved = (probability: string) =>
    `As you have behaved so far, ${comes} with a probability of ${probability}`;
  const probability =
    result.lower === 0 && result.upper === 1
      ? `The probability that ${comes} is not known here, so it is taken as 100 %.`
      : result.decidedOn === 'least'
        ? `${asAgent === null ? '' : `${asBehaved(percent(asAgent.upper))}. `}${leastInWords(result)}.`
        : `${asBehaved(`${result.decidedOn === 'upper' ? '' : 'up to '}${percent(result.risk)}`)}${horizon(rule)}.`;
  return [
    present,
    said ?? `The rule "${result.rule}" must hold: ${rule?.formula ?? result.rule}.`,
    probability,
    'Do not go on as planned. Say what in your plan could break the rule, then choose a next action that avoids it; if there is none, stop.',
  ].join('\n');
}

/** Why a guard decided where no rule did, without the full stop: what is not known, and, if `names`, the setting that decided. */
function withoutRule(result: GuardStep, file: GuardFile, error: unknown, names: boolean): string {
  switch (result.reason) {
    case 'nothing-permitted':
      return `${NEVER_SEEN}, and nothing that was ever done here is permitted`;
    case 'escalated': {
      const rule = file.rules.find(({ name }) => name === result.ruleOfStrategy);
      return `The agent was asked to reflect ${rule?.maxReflections} times, and goes on where it is not known what comes of it`;
    }
    case 'safe-tool':
      return 'The tool is declared safe, so that no risk is compared, and no rule is broken';
    case 'strategy-failed':
      return 'What was decided where it is not known what comes of the action could not be carried out';
    default:
      return `${notKnown(result, file, error)}${names ? `; ${settingFor(result, file)} decides` : ''}`;
  }
}

/** What is not known, of a fault. */
function notKnown({ reason, predicate }: GuardStep, file: GuardFile, error: unknown): string {
  switch (reason) {
    case 'untried-action':
      return `${NEVER_SEEN}, so what comes of it is not known`;
    case 'predicate-failed':
      return `The predicate "${predicate ?? '?'}" could not be read${message(error)}`;
    case 'forbidden-state':
      return `The constraint on states, ${inOneLine(file.constraints.state)}, rules this state out`;
    case 'forbidden-transition':
      return `The constraint on transitions, ${inOneLine(file.constraints.transition)}, rules this step out`;
    case 'irregular-time':
      return `The time since the previous step is not the sampling period of ${file.samplingPeriodSeconds} s`;
    default:
      return 'This state is not known: the data never left it';
  }
}

/** The setting that decides on a fault, as in the file. */
function settingFor({ reason }: GuardStep, file: GuardFile): string {
  const own =
    reason === 'untried-action' ? 'onUntried' : reason === 'predicate-failed' ? 'onUnreadable' : 'onUnknown';
  const setting = file[own] === undefined ? 'onUnknown' : own;
  return `${setting}: ${file[setting]}`;
}

function leastInWords({ risk: least, reason }: GuardStep): string {
  const found = `The least risk over all ways to go on is ${percent(least)}`;
  return reason === 'over-budget'
    ? `${found}; going on as planned adds more to it than is left of the run's budget`
    : `${found}, which is what counts here`;
}

function because(
  result: GuardStep,
  rule: GuardRule | undefined,
  file: GuardFile,
  error: unknown,
  brokenBefore: boolean,
  asAgent: RiskBounds | null,
): string {
  const named = `rule "${result.rule}" (${inOneLine(rule?.formula ?? 'unknown')})`;
  // A bound of PCTL is on the probability of an event, which need not be what breaks the bound.
  const breach = rule?.evaluation === 'state' ? `the event that ${named} bounds` : `breaking ${named}`;
  const isLeast = result.decidedOn === 'least';
  const theRisk = isLeast
    ? `the least risk of ${breach} over all ways to go on`
    : `the risk of ${breach}${horizon(rule)}`;
  const compared = isLeast ? comparedLeast(result, rule, file) : thresholds(result, rule);
  const learnt = isLeast ? asLearnt(asAgent) : '';
  switch (result.reason) {
    case 'below-threshold':
    case 'at-threshold':
      if (rule !== undefined && rule.tables === undefined)
        return `Steps that could not be read may have broken ${named}.`;
      return `T${theRisk.slice(1)} ${risk(result, file)}; ${compared}.${learnt}${whateverIsDone(rule, file)}${idleHere(result, file)}`;
    case 'safe-tool':
    case 'kept':
      return `Nothing breaks ${named}${file.rules.length === 1 ? '' : ' or another rule'} here.`;
    case 'violated':
      return `${brokenBefore ? brokeBefore(file) : 'This step breaks'} ${named}${rule?.tables === undefined ? '' : `; its risk is 1, certified in [1, 1]; ${thresholds(result, rule)}`}.`;
    case 'after-violation':
      return `An earlier step broke ${named}.`;
    case 'escalated':
      return `The agent was asked to reflect ${rule?.maxReflections} times on ${named} and was not allowed to go on since; ${isLeast ? 'the least risk over all ways to go on' : 'its risk'} ${risk(result, file)}.${learnt}`;
    case 'over-budget':
      return `${subject(result)} would add more to the least risk of ${breach} than is left of the run's budget; its own least risk over all ways to go on ${risk(result, file)}.${learnt}${idleHere(result, file)}`;
    case 'nothing-permitted':
      return `Nothing that was ever done in this state is permitted; ${theRisk} ${risk(result, file)}; ${compared}.${learnt}`;
    case 'too-many-pending':
      return `Calls may still be running beside which this one cannot be judged by ${named}: they are too many, or one of them could not be read; propose it again once one has come back.`;
    case 'drift':
      return `The agent has changed, so ${theRisk}, ${rounded(result.risk)} as it was learnt, says nothing any more.`;
    case 'strategy-failed':
      return `What was decided for ${named} could not be carried out.`;
    default:
      // Of what is not known, a rule is told only where it may be broken by it, or is broken anyway.
      return `${notKnown(result, file, error)}; ${named} ${rule?.tables === undefined ? 'may be' : 'is'} broken.${lenient(result, file)}`;
  }
}

/** Explains that a rule does not distinguish actions, in a guard whose other rules do. */
function whateverIsDone(rule: GuardRule | undefined, { actions }: GuardFile): string {
  return actions === undefined ||
    rule === undefined ||
    rule.tables?.least !== undefined ||
    rule.tables === undefined
    ? ''
    : ' It is that of the state, whatever the action.';
}

function brokeBefore({ resample }: GuardFile): string {
  return `A step that was missing before this one${resample === 'hold' ? ', and repeats the one before it,' : ''} broke`;
}

function subject(result: GuardStep): string {
  return 'idle' in result && 'name' in result && result.name === null ? 'Doing nothing' : 'This action';
}

/** What taking no action would come to, where a shield refuses one. Data do not tell doing nothing apart from ending the run: both are steps without an action. */
function idleHere(result: GuardStep, { actions }: GuardFile): string {
  const { idle = null, name = null } = result as Partial<GuardProposal>;
  if (idle === null || name === null) return '';
  const known = Object.values(idle.rules).flatMap((risks) => risks ?? []);
  const isLeast = actions !== undefined && actions.mode !== 'predict';
  const learnt = Math.max(...known.map(({ asAgent }) => asAgent.upper));
  const bound = `is at most ${threeDigitsAbove(idle.risk)}${isLeast ? `, and ${rounded(learnt)} if the agent goes on as learnt` : ''}`;
  const risk = known.length === 0 ? 'is not known: the agent never did here' : bound;
  return ` The ${isLeast && known.length > 0 ? 'least ' : ''}risk of doing nothing, or of ending the run, ${risk}; it is ${idle.permitted ? '' : 'not '}permitted.`;
}

/** The compared number and its meaning, with the other bound if there are two. */
function risk(result: GuardStep, { decideOn, confidence, rules }: GuardFile): string {
  const rule = rules.find(({ name }) => name === result.rule);
  const { decidedOn, lower, upper, confidenceUpper } = result;
  const certified = `certified in [${threeDigitsBelow(lower)}, ${threeDigitsAbove(upper)}]`;
  const compared = onItsSide(result.risk, rule);
  if (decideOn === 'upper' || decidedOn === 'least') return `is ${compared}, ${certified}`;
  const sure = `at confidence ${Number((1 - (confidence?.delta ?? 0)).toPrecision(6))}`;
  return decidedOn === 'upper'
    ? `is ${compared}, ${certified} for the agent as learnt, and at most ${threeDigitsAbove(confidenceUpper)} for the agent itself, ${sure}`
    : `is at most ${compared} for the agent itself, ${sure}, which counts, and ${certified} for the agent as learnt`;
}

/** A risk in three digits, rounded so that it meets the same thresholds, which messages print as they were written. */
function onItsSide(risk: number, rule: GuardRule | undefined): number {
  const meets = (number: number): string =>
    (rule?.levels ?? []).map(({ threshold }) => Number(meetsThreshold(threshold, number))).join('');
  const candidates = [rounded(risk), threeDigitsBelow(risk), threeDigitsAbove(risk)];
  return candidates.find((number) => meets(number) === meets(risk)) ?? candidates[0];
}

/** Explains why a guard that permits unknown states did not permit this one. */
function lenient({ reason }: GuardStep, { onUnknown, onUnreadable }: GuardFile): string {
  if (reason !== 'predicate-failed' || onUnreadable !== undefined) return '';
  if (onUnknown !== 'allow' && onUnknown !== 'report') return '';
  return ` onUnknown: ${onUnknown} is for what was read and has no data, not for what could not be read.`;
}

function horizon(rule: GuardRule | undefined): string {
  return rule === undefined || rule.horizonSteps === null ? '' : ` within ${rule.horizonSteps} steps`;
}

function thresholds(result: GuardStep, rule: GuardRule | undefined, number = 'risk'): string {
  const levels = rule?.levels ?? [];
  // A refusal of doing nothing is answered by `onIdle`, whatever strategy the levels name.
  if (isRefusedIdle(result))
    return `not permitted from ${describeThreshold(levels[0].threshold, number)}, and onIdle says what happens then`;
  const named = rule?.shieldChooses !== true || isOfState(result);
  return levels
    .map(({ threshold, strategy }) => {
      return `${named ? strategy.kind : 'not permitted'} from ${describeThreshold(threshold, number)}`;
    })
    .join(', ');
}

/** Whether a shield refuses to do nothing; its answer then holds how doing nothing was judged. */
function isRefusedIdle(result: GuardStep): boolean {
  const { idle = null, name = null, reason } = result as Partial<GuardProposal>;
  return reason === 'at-threshold' && idle !== null && name === null;
}

/** A rule that names no strategy stops the run for a state alone, and once it is broken. The shield chooses how it refuses an action: never by `stop`. */
function isOfState({ reason, decision }: GuardStep): boolean {
  return reason === 'violated' || (reason === 'at-threshold' && decision === 'stop');
}

/** What is compared where the least risk is looked up: that, or under a budget what an action adds to it. */
function comparedLeast(result: GuardStep, rule: GuardRule | undefined, { actions }: GuardFile): string {
  if (actions?.mode !== 'budget' || rule === undefined) return thresholds(result, rule, 'least risk');
  return `compared is not this, but what an action adds to it, with what is left of the run's budget of ${Number(riskAt(rule.levels[0].threshold).toPrecision(12))}`;
}

function asLearnt(asAgent: RiskBounds | null): string {
  if (asAgent === null) return '';
  const isKnown = asAgent.lower > 0 || asAgent.upper < 1;
  return ` If the agent goes on as learnt, the risk is ${isKnown ? rounded(asAgent.upper) : 'not known'}.`;
}

/** What a specification wrote over several lines. */
function inOneLine(source: string | null | undefined): string {
  return `${source}`.replace(/\s*[\r\n]\s*/g, ' ').trim();
}

function message(error: unknown): string {
  return error instanceof Error ? ` (${printable(error.message)})` : '';
}

function percent(probability: number): string {
  return `${rounded(100 * probability)} %`;
}
