import type { Owed, OwedAnswer } from './answers.js';
import type { Reading } from './beliefs.js';
import { explainOn } from './explain.js';
import type { AskedRule, Knowledge } from './knowledge.js';
import type { Situation } from './run.js';
import { capital } from './words.js';

/** What the rules still ask for after the steps that are done: what is due first comes first. What they ask of every step is not owed. */
export function owedAnswer(knowledge: Knowledge, { history, now }: Situation): OwedAnswer {
  const owed: Owed[] = [];
  const broken: string[] = [];
  for (const rule of knowledge.rules) {
    // The state at hand may settle what is due; a rule that reads calls waits for the call of the step at hand.
    const steps = isRead(knowledge, rule, now) ? [...history, now] : history;
    if (steps.length === 0) continue;
    const { verdict, obligations } = explainOn(knowledge, rule, steps);
    if (verdict === 'violated') broken.push(rule.name);
    if (verdict !== 'open') continue;
    for (const { standing, phrase, deadline, stepsLeft, secondsLeft, dischargedBy } of obligations)
      if (!standing)
        owed.push({
          rule: rule.name,
          phrase,
          deadline,
          stepsLeft,
          secondsLeft,
          dischargedBy,
          atEnd: rule.atEnd,
        });
  }
  const until = ({ deadline }: Owed): number => deadline ?? Number.POSITIVE_INFINITY;
  owed.sort((a, b) => until(a) - until(b) || 0);
  const lines = [
    ...(owed.length === 0 ? ['Nothing is owed.'] : owed.map((one) => said(one))),
    ...broken.map((name) => `${capital(knowledge.quoted(name))} is broken, whatever is done.`),
  ];
  return { kind: 'owed', owed, broken, text: lines.join('\n') };
}

/** Whether all that a rule reads is known. */
function isRead({ predicates }: Knowledge, { automaton }: AskedRule, { known }: Reading): boolean {
  return automaton.predicates.every((name) => {
    const i = predicates.indexOf(name);
    return (known[i >>> 5] & (1 << (i & 31))) !== 0;
  });
}

function said({ rule, phrase, stepsLeft, secondsLeft, deadline, atEnd }: Owed): string {
  const seconds = secondsLeft === null ? '' : ` (${secondsLeft} s)`;
  const left =
    stepsLeft === null ? '' : `: ${stepsLeft} ${stepsLeft === 1 ? 'step' : 'steps'}${seconds} left`;
  const end =
    deadline === null ? (atEnd === 'strong' ? ', before the run ends' : ', unless the run ends') : '';
  return `Rule "${rule}": ${phrase}${left}${end}.`;
}
