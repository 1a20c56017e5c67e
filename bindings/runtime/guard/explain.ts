import { threeDigits, threeDigitsAbove, threeDigitsBelow } from '../../base/digits.js';
import type { EvaluationError } from '../../base/errors.js';
import { printable } from '../../base/words.js';
import type { RiskBounds } from './actionTables.js';
import type { GuardFile, GuardRule } from './guardFile.js';
import type { GuardStep } from './guardStep.js';
import type { ModelParts } from './model/modelParts.js';
import { percent } from './percent.js';

const NEVER_SEEN = 'This action was never seen in this state';

/**
 * A guard's answer in words, with both numbers, but without the number of the step. `model`: the words of risks; null for a guard of rules alone. `state` is null where the state is not known; `brokenBefore`: a step that was missing
 * before this one, and is held, broke the rule; `error`: why the predicate could not be read, from `wordsOfError`; `asAgent`: where the least risk was compared, the risk if the agent goes on as learnt, null where that is not known.
 */
export function describeAnswer(
  result: GuardStep,
  file: GuardFile,
  model: ModelParts | null,
  state: string | null,
  error: string,
  brokenBefore = false,
  asAgent: RiskBounds | null = null,
): string {
  const rule = file.rules.find(({ name }) => name === result.rule);
  const decision = result.action === null ? result.decision : `${result.decision} by "${result.action}"`;
  const why =
    result.rule === ''
      ? `${withoutRule(result, file, error, true)}.${lenient(result, file)}`
      : because(result, rule, file, model, error, brokenBefore, asAgent);
  const sentences = [`${decision}. ${why}`];
  if (state !== null) sentences.push(`State: ${state}.`);
  if (result.unseenTransition) sentences.push('The data hold this state, but not the step that led to it.');
  return sentences.join(' ');
}

/** What an agent is told that shall plan again; `model` and `asAgent` as of `describeAnswer`, `said` in place of the rule. */
export function reflectionMessage(
  result: GuardStep,
  file: GuardFile,
  model: ModelParts | null,
  state: string | null,
  asAgent: RiskBounds | null = null,
  said: string | null = null,
): string {
  const present = state === null ? 'The present state could not be read.' : `The present state: ${state}.`;
  if (result.rule === '')
    return `${present}\n${withoutRule(result, file, '', false)}.\nDo not go on as planned. Choose a next action whose outcome is known here; if there is none, stop.`;
  const rule = file.rules.find(({ name }) => name === result.rule);
  const comes = rule?.evaluation === 'state' ? 'what it bounds will happen' : 'it will be broken';
  const known =
    model === null
      ? `As you have behaved so far, ${comes} with a probability of ${percent(result.risk)}.`
      : model.probabilityInWords(result, rule, comes, asAgent);
  const probability =
    result.lower === 0 && result.upper === 1
      ? `The probability that ${comes} is not known here, so it is taken as 100 %.`
      : known;
  return [
    present,
    said ?? `The rule "${result.rule}" must hold: ${rule ? saidRule(rule) : result.rule}.`,
    probability,
    'Do not go on as planned. Say what in your plan could break the rule, then choose a next action that avoids it; if there is none, stop.',
  ].join('\n');
}

/** Why a guard decided where no rule did, without the full stop: what is not known, and, if `names`, the setting that decided. */
function withoutRule(result: GuardStep, file: GuardFile, error: string, names: boolean): string {
  switch (result.reason) {
    case 'nothing-permitted':
      return `${NEVER_SEEN}, and nothing that was ever done here is permitted`;
    case 'escalated': {
      const rule = file.rules.find(({ name }) => name === result.ruleOfStrategy);
      return `The agent was asked to reflect ${rule?.maxReflections} times, and goes on where the outcome is not known`;
    }
    case 'safe-tool':
      return 'The tool is declared safe, so that no risk is compared, and no rule is broken';
    case 'strategy-failed':
      return 'What was decided for an action with an unknown outcome could not be carried out';
    default:
      return `${notKnown(result, file, error)}${names ? `; ${settingFor(result, file)} decides` : ''}`;
  }
}

/** What is not known, of a fault. */
function notKnown({ reason, predicate }: GuardStep, file: GuardFile, error: string): string {
  switch (reason) {
    case 'untried-action':
      return `${NEVER_SEEN}, so its outcome is not known`;
    case 'predicate-failed':
      return `The predicate "${predicate ?? '?'}" could not be read${error}`;
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

function because(
  result: GuardStep,
  rule: GuardRule | undefined,
  file: GuardFile,
  model: ModelParts | null,
  error: string,
  brokenBefore: boolean,
  asAgent: RiskBounds | null,
): string {
  const named = `rule "${result.rule}" (${inOneLine(rule ? saidRule(rule) : 'unknown')})`;
  const ofRisk = model?.riskInWords(result, rule, named, file, asAgent) ?? null;
  if (ofRisk !== null) {
    // What only exact rules read is no fault of the rule whose risk is compared.
    const isUnread = result.reason === 'below-threshold' && result.predicate !== null;
    return isUnread ? `${ofRisk} No exact rule is broken here${unreadIn(result, error)}.` : ofRisk;
  }
  switch (result.reason) {
    case 'at-threshold':
      return `Steps that could not be read may have broken ${named}.`;
    case 'safe-tool':
    case 'kept':
      return `Nothing breaks ${named}${file.rules.length === 1 ? '' : ' or another rule'} here${unreadIn(result, error)}.${provenIn(rule)}`;
    case 'violated': {
      const compared = rule?.tables === undefined ? undefined : model?.violationInWords(result, rule);
      return `${brokenBefore ? brokeBefore(file) : 'This step breaks'} ${named}${compared ?? ''}.`;
    }
    case 'after-violation':
      return `An earlier step broke ${named}.`;
    case 'escalated':
      return `The agent was asked to reflect ${rule?.maxReflections} times on ${named} and was not allowed to go on since; its risk is ${threeDigits(result.risk)}, certified in [${threeDigitsBelow(result.lower)}, ${threeDigitsAbove(result.upper)}].`;
    case 'strategy-failed':
      return `What was decided for ${named} could not be carried out.`;
    default:
      // Of what is not known, a rule is told only where it may be broken by it, or is broken anyway.
      return `${notKnown(result, file, error)}; ${named} ${rule?.tables === undefined ? 'may be' : 'is'} broken.${lenient(result, file)}`;
  }
}

/** What a rule that is kept does not show: a predicate that could not be read stands for both values, none of which breaks a rule at this step. */
function unreadIn({ predicate }: GuardStep, error: string): string {
  return predicate === null
    ? ''
    : `, although the predicate "${predicate}" could not be read${error}: neither of its values breaks a rule at this step, and both are followed`;
}

/** What was proved of a rule before it guarded. */
function provenIn(rule: GuardRule | undefined): string {
  const { provenBy } = rule ?? {};
  if (provenBy === undefined) return '';
  const named = provenBy.map((name) => `"${name}"`).join(', ');
  return ` Its risk is 0: it is proved that no calls break it which the ${provenBy.length === 1 ? 'policy' : 'policies'} ${named} permit${provenBy.length === 1 ? 's' : ''}.`;
}

function brokeBefore({ resample }: GuardFile): string {
  return `A step that was missing before this one${resample === 'hold' ? ', and repeats the one before it,' : ''} broke`;
}

/** Explains why a guard that permits unknown states did not permit this one. */
function lenient({ reason }: GuardStep, { onUnknown, onUnreadable }: GuardFile): string {
  if (reason !== 'predicate-failed' || onUnreadable !== undefined) return '';
  if (onUnknown !== 'allow' && onUnknown !== 'report') return '';
  return ` onUnknown: ${onUnknown} applies to what was read but has no data, not to what could not be read.`;
}

/** A rule in English, or as it was written, as part of a sentence. */
function saidRule(rule: GuardRule): string {
  return rule.english?.slice(0, -1) ?? rule.formula;
}

/** What a specification wrote over several lines. */
function inOneLine(source: string | null | undefined): string {
  return `${source}`.replace(/\s*[\r\n]\s*/g, ' ').trim();
}

/** Why a predicate could not be read, in brackets; empty if that is not known. @param quotes whether it may quote what the data hold */
export function wordsOfError(error: unknown, quotes: boolean): string {
  const words = quotes ? (error as Error | null)?.message : (error as EvaluationError | null)?.withoutValues;
  return typeof words === 'string' && words !== '' ? ` (${printable(words)})` : '';
}
