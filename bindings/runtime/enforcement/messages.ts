import type { Guard, GuardProposal, JudgedAction } from '../guard/index.js';
import type { Answer } from './inspection.js';
import type { Refusal } from './refusals.js';
import type { EnforcementFault } from './verdict.js';

export { wordsOf } from '../../base/words.js';

/** What the agent is told where the guard refuses its action. */
export function refusal(guard: Guard, proposal: GuardProposal, explanation: string): string {
  if (proposal.decision === 'reflect')
    return `${guard.reflection(proposal)}\n${permittedHere(proposal)}`.trim();
  const subject = guard.observed().idle ? 'Doing nothing' : 'This action';
  const told = proposal.decision === 'stop' ? 'The run is stopped' : `${subject} is not permitted`;
  return `${told}. ${explanation} ${proposal.decision === 'stop' ? '' : permittedHere(proposal)}`.trim();
}

/** Which actions would be permitted, the safest first. */
function permittedHere({ alternatives, name }: Pick<GuardProposal, 'alternatives' | 'name'>): string {
  const others = alternatives
    .filter((one) => one !== name)
    .map((one: JudgedAction['name']) => one ?? 'doing nothing (or ending the run)');
  if (others.length === 0) return '';
  const [safest, ...rest] = others;
  return `Permitted here: ${safest}${rest.length === 0 ? '' : `, the safest, ${rest.join(', ')}`}.`;
}

/** A fault around the guard, in words. */
export function faultInWords(fault: EnforcementFault, detail: string): string {
  const what: Record<EnforcementFault, string> = {
    'unknown-tool': 'No such tool was declared',
    'invalid-arguments': 'The arguments of the call are not valid',
    'state-failed': 'The state of the world could not be observed',
    'rule-failed': 'A rule could not be evaluated',
    'replacement-failed': 'The action that was to run instead cannot',
    refused: 'A person refused the call',
    'no-answer': 'A person was asked, and gave no answer that counts',
    'log-failed': 'The decision could not be recorded',
    'run-over': 'The run is over',
    'calls-running': 'Other calls are still running; propose it again once they have come back',
  };
  const words = `${what[fault]}${detail === '' ? '' : `: ${detail}`}`;
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/** @param others rules that a yes overrules, too */
export function questionOf(explanation: string, tool: string, others: readonly Refusal[] = []): string {
  const asked = tool === '' ? 'May the agent do nothing?' : `Shall the agent call ${tool}?`;
  const told = others.map(
    ({ name, decision, risk, decidedOn }) =>
      `"${name}" (${decision}${risk === undefined ? '' : `, ${decidedOn === 'least' ? 'least risk' : 'risk'} ${risk}`})`,
  );
  const overruled = told.length === 0 ? '' : ` A yes also overrules ${told.join(', ')}.`;
  return `${asked} ${explanation}${overruled}`;
}

/** What a person said, for the agent. */
export function answerInWords({ comment }: Answer): string {
  return comment === undefined ? '' : comment.slice(0, 2000);
}
