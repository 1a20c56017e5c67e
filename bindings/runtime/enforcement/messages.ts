import { threeDigits } from '../../base/digits.js';
import { printable, printableLines, printableName } from '../../base/words.js';
import type { Fault, Judgement, Refusal } from '../guard/index.js';
import type { Answer } from './inspection.js';
import { shownCall } from './shownCall.js';
import type { EnforcementFault } from './verdict.js';

export { wordsOf } from '../../base/words.js';

/**
 * What the agent is told where its action is refused.
 * @param why what the rule says for itself, in place of the explanation; null if it says nothing
 * @param isOpen whether a tool is declared, and no judge is against suggesting it
 * @param kept tools that are permitted whatever the arguments: said where the judge names no alternatives
 */
export function refusal(
  judgement: Judgement,
  explanation: string,
  why: string | null,
  isIdle: boolean,
  isOpen: (tool: string) => boolean,
  kept: readonly string[] = [],
): string {
  const { decision, alternatives = [], suggestion, due = [] } = judgement;
  const isStop = decision === 'stop';
  const open = isStop ? [] : alternatives.filter((one) => one === null || isOpen(toolOf(one)));
  const nearest =
    isStop || suggestion == null || !isOpen(suggestion.name)
      ? ''
      : `The nearest permitted call: ${shownCall(suggestion)}.`;
  const permitted = `${permittedHere(open)} ${nearest}`.trim() || keptHere(kept);
  const own = ownMessage(judgement, why);
  if (own !== undefined) return `${own}\n${permitted}`.trim();
  const subject = isIdle ? 'Doing nothing' : 'This action';
  const told = isStop ? 'The run is stopped' : `${subject} is not permitted`;
  const owed = due.length === 0 ? '' : `Due at this step: ${due.map(printable).join(' and ')}. `;
  return `${told}. ${why ?? explanation} ${owed}${permitted}`.trim();
}

/** Which actions would be permitted, the safest first. */
function permittedHere(alternatives: readonly (string | null)[]): string {
  const others = alternatives.map((one) =>
    one === null ? 'doing nothing (or ending the run)' : printable(one),
  );
  if (others.length === 0) return '';
  const [safest, ...rest] = others;
  return `Permitted here: ${safest}${rest.length === 0 ? '' : `, the safest, ${rest.join(', ')}`}.`;
}

/** Tools that an agent is told of at a time. */
const MOST_KEPT = 8;

function keptHere(tools: readonly string[]): string {
  if (tools.length === 0) return '';
  const shown = tools.slice(0, MOST_KEPT).map(printableName).join(', ');
  const more = tools.length > MOST_KEPT ? ` and ${tools.length - MOST_KEPT} more` : '';
  return `Permitted here, whatever the arguments: ${shown}${more}.`;
}

/** An action is named as its tool, with what holds of its arguments in brackets. */
function toolOf(action: string): string {
  return action.split('[', 1)[0];
}

/** A fault around the guard, in words. */
export function faultInWords(fault: EnforcementFault, detail: string): string {
  const what: Record<EnforcementFault, string> = {
    'unknown-tool': 'No such tool was declared',
    'tool-changed': 'The tool is not what it was',
    'invalid-arguments': 'The arguments of the call are not valid',
    'state-failed': 'The state of the world could not be observed',
    'rule-failed': 'A rule could not be evaluated',
    'replacement-failed': 'The action that was to run instead cannot',
    refused: 'A person refused the call',
    'no-answer': 'A person was asked, and gave no answer that counts',
    'log-failed': 'The decision could not be recorded',
    'run-over': 'The run is over',
    'calls-running': 'Other calls are still running; propose it again once they have returned',
    'too-early': 'It comes too early',
    'repeated-call': 'A call of this id was let through before, and no call runs twice',
  };
  const words = `${what[fault]}${detail === '' ? '' : `: ${printableLines(detail)}`}`;
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/** What a guard does not know, as a reason against a call. */
const UNKNOWN: Readonly<Record<Fault, string>> = {
  'untried-action': 'that the action was never seen in this state',
  'unknown-state': 'that the state is not known',
  'predicate-failed': 'that a predicate could not be read',
  'forbidden-state': 'that a constraint rules the state out',
  'forbidden-transition': 'that a constraint rules the step out',
  'irregular-time': 'that the time is irregular',
};

/**
 * A question to a person, one line: nothing in it can look like another.
 * @param tool null for doing nothing
 * @param shown the rules that a yes overrules; `rule` names the one that asks
 * @param said what that rule says for itself, in place of the explanation; null if it says nothing
 */
export function questionOf(
  explanation: string,
  tool: string | null,
  {
    rule,
    shown,
    said,
  }: { readonly rule: string; readonly shown: readonly Refusal[]; readonly said: string | null } = {
    rule: '',
    shown: [],
    said: null,
  },
): string {
  const asked = tool === null ? 'May the agent do nothing?' : `Shall the agent call ${printableName(tool)}?`;
  const asks = shown.filter(({ name }) => name === rule).map(refusalInWords);
  const others = shown.filter(({ name }) => name !== rule).map(refusalInWords);
  const why = said === null ? explanation : `${said} Against it: ${asks.join(', ')}.`;
  const overruled = others.length === 0 ? '' : ` A yes also overrules ${others.join(', ')}.`;
  return printable(`${asked} ${why}${overruled}`);
}

function refusalInWords({ name, part, fault, decision, risk, decidedOn }: Refusal): string {
  const rule = part === undefined ? name : `${name}: ${part}`;
  const what = fault === undefined ? `"${rule}"` : UNKNOWN[fault];
  const number =
    risk === undefined ? '' : `, ${decidedOn === 'least' ? 'least risk' : 'risk'} ${threeDigits(risk)}`;
  return `${what} (${decision}${number})`;
}

/** A person's comment, for the agent. */
export function answerInWords({ comment }: Answer): string {
  return comment === undefined ? '' : comment.slice(0, 2000);
}

function ownMessage(judgement: Judgement, why: string | null): string | undefined {
  return typeof judgement.message === 'function' ? judgement.message(why) : judgement.message;
}
