import type { GuardAnswer, MayAnswer } from './answers.js';
import type { LostBefore } from './beliefs.js';
import type { JudgedCall } from './judge.js';
import type { Knowledge } from './knowledge.js';
import { type AskedCall, callText } from './moves.js';
import { capital, listed } from './words.js';

/**
 * The answer to "may I", with its words.
 *
 * @param requirement what the call is declared to require
 * @param lost the rules that are broken already, or cannot be kept together any more
 * @param guard what a guard says of it; null if there is none
 */
export function mayAnswer(
  knowledge: Knowledge,
  call: AskedCall,
  judged: JudgedCall,
  requirement: string | null,
  { broken, apart }: LostBefore,
  guard: GuardAnswer | null,
): MayAnswer {
  const { verdict, broken: refusing, doubtful, together, possible, isOutcomeKnown } = judged;
  const answer =
    verdict === 'broken' || possible === false || guard?.lets === false
      ? 'no'
      : verdict === 'kept' && possible === true
        ? 'yes'
        : 'unknown';
  const requires = possible === true ? null : requirement;
  const answered = {
    kind: 'may',
    call,
    answer,
    rules: refusing,
    together,
    doubtful,
    requires,
    foreseen: isOutcomeKnown,
    guard,
    broken,
    apart,
  } as const;
  const text = textOf(knowledge, answered, judged);
  const lines = [
    text,
    ...broken.map((name) => `${capital(knowledge.quoted(name))} is broken already.`),
    ...(apart.length === 0 ? [] : [capital(`${notTogether(knowledge, apart)} any more, whatever is done.`)]),
    ...(guard === null ? [] : [`The guard: ${guard.text}`]),
  ];
  return { ...answered, text: lines.join('\n') };
}

function textOf(
  knowledge: Knowledge,
  may: Omit<MayAnswer, 'text'>,
  { verdict, possible }: JudgedCall,
): string {
  const called = callText(may.call);
  if (may.answer === 'yes')
    return may.foreseen
      ? `Yes: ${called} is allowed.`
      : `Yes: no rule is against ${called}. What it brings about is not known.`;
  const requirement =
    possible === false
      ? may.requires === null
        ? `${called} is not possible now: what it does is excluded by the constraints`
        : `${called} is not possible now: it requires ${may.requires}`
      : null;
  if (may.answer === 'unknown') {
    const reasons = [
      ...(may.doubtful.length > 0
        ? [
            `whether it keeps ${listed(may.doubtful.map((name) => knowledge.quoted(name)))} depends on what could not be read`,
          ]
        : []),
      ...(possible === undefined ? [`whether it is possible is not known: it requires ${may.requires}`] : []),
    ];
    return `I do not know: ${reasons.join('; ')}.`;
  }
  if (verdict !== 'broken')
    return requirement === null ? `No: the guard does not let ${called} run.` : `No: ${requirement}.`;
  if (may.together)
    return `No: after it, ${notTogether(knowledge, may.rules)}${requirement === null ? '' : `; and ${requirement}`}.`;
  const refusal = `${listed(may.rules.map((name) => knowledge.quoted(name)))} ${may.rules.length === 1 ? 'is' : 'are'} against it`;
  return `No: ${refusal}${requirement === null ? '' : `; and ${requirement}`}.`;
}

/** That rules cannot be kept together, in words. */
export function notTogether(knowledge: Knowledge, rules: readonly string[]): string {
  const named = listed(rules.map((name) => knowledge.quoted(name)));
  return rules.length === 1
    ? `${named} cannot be kept beside the constraints`
    : `${named} cannot ${rules.length === 2 ? 'both' : 'all'} be kept, though each alone can`;
}
