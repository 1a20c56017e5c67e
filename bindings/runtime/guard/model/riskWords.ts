import { threeDigits as rounded, threeDigitsAbove, threeDigitsBelow } from '../../../base/digits.js';
import type { RiskBounds } from '../actionTables.js';
import type { GuardFile, GuardRule } from '../guardFile.js';
import type { GuardStep } from '../guardStep.js';
import { percent } from '../percent.js';
import type { GuardProposal } from '../proposal.js';
import { describeThreshold, meetsThreshold, riskAt } from '../threshold.js';

/** Why a rule decided, if it compared a risk; null for all other reasons. `named` is the rule in words; `asAgent` as of `describeAnswer`. */
export function riskInWords(
  result: GuardStep,
  rule: GuardRule | undefined,
  named: string,
  file: GuardFile,
  asAgent: RiskBounds | null,
): string | null {
  const isOfAutomaton = rule !== undefined && rule.tables === undefined;
  if (isOfAutomaton)
    return result.reason === 'drift'
      ? `The agent has changed, so risks as they were learnt say nothing any more; ${named} is exact, and is enforced as before.`
      : null;
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
      return `T${theRisk.slice(1)} ${risk(result, file)}; ${compared}.${learnt}${whateverIsDone(rule, file)}${idleHere(result, file)}`;
    case 'escalated':
      return `The agent was asked to reflect ${rule?.maxReflections} times on ${named} and was not allowed to go on since; ${isLeast ? 'the least risk over all ways to go on' : 'its risk'} ${risk(result, file)}.${learnt}`;
    case 'over-budget':
      return `${subject(result)} would add more to the least risk of ${breach} than is left of the run's budget; its own least risk over all ways to go on ${risk(result, file)}.${learnt}${idleHere(result, file)}`;
    case 'nothing-permitted':
      return `Nothing that was ever done in this state is permitted; ${theRisk} ${risk(result, file)}; ${compared}.${learnt}`;
    case 'too-many-pending':
      return `Calls may still be running beside which this one cannot be judged by ${named}: they are too many, or one of them could not be read; propose it again once one has come back.`;
    case 'drift':
      return `The agent has changed, so ${theRisk}, ${result.lower === 0 && result.upper === 1 ? 'which was not known' : `${rounded(result.risk)} as it was learnt`}, says nothing any more.`;
    default:
      return null;
  }
}

/** What a rule that is broken compares. */
export function violationInWords(result: GuardStep, rule: GuardRule): string {
  return `; its risk is 1, certified in [1, 1]; ${thresholds(result, rule)}`;
}

/** How probable it is that `comes`, what a rule forbids, as a sentence to the agent. */
export function probabilityInWords(
  result: GuardStep,
  rule: GuardRule | undefined,
  comes: string,
  asAgent: RiskBounds | null,
): string {
  const asBehaved = (probability: string) =>
    `As you have behaved so far, ${comes} with a probability of ${probability}`;
  return result.decidedOn === 'least'
    ? `${asAgent === null ? '' : `${asBehaved(percent(asAgent.upper))}. `}${leastInWords(result)}.`
    : `${asBehaved(`${result.decidedOn === 'upper' ? '' : 'up to '}${percent(result.risk)}`)}${horizon(rule)}.`;
}

function leastInWords({ risk: least, reason }: GuardStep): string {
  const found = `The least risk over all ways to go on is ${percent(least)}`;
  return reason === 'over-budget'
    ? `${found}; going on as planned adds more to it than is left of the run's budget`
    : `${found}, which is what counts here`;
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
