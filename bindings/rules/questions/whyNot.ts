import type { MayAnswer, WhyNotAnswer, WhyNotReason } from './answers.js';
import type { AskParts } from './before.js';
import type { Reading } from './beliefs.js';
import { completed, explainOn } from './explain.js';
import type { JudgedCall } from './judge.js';
import type { AskedRule } from './knowledge.js';
import { type Change, leastChanges } from './leastChange.js';
import { notTogether } from './may.js';
import { callText } from './moves.js';
import type { Situation } from './run.js';
import { capital, listed } from './words.js';

/** Why a call is not allowed, and the least that would have to be different. */
export function whyNotAnswer(
  parts: AskParts,
  situation: Situation,
  may: MayAnswer,
  judged: JudgedCall,
  outcome?: Reading,
): WhyNotAnswer {
  const { knowledge } = parts;
  const reasons = judged.broken.map((name): WhyNotReason => {
    const english = knowledge.englishOf(name);
    if (judged.together) return { rule: name, english, explanation: notTogether(knowledge, judged.broken) };
    const rule = knowledge.rules.find((one) => one.name === name) as AskedRule;
    const { text } = explainOn(knowledge, rule, stepsOf(parts, situation, may, judged));
    return { rule: name, english, explanation: text };
  });
  const changes = may.answer === 'yes' ? [] : leastChanges(parts, situation, may.call, outcome);
  return { ...may, kind: 'whyNot', reasons, changes, text: textOf(may, reasons, changes, parts) };
}

/** The steps that are done, and those that show that the call breaks a rule. */
function stepsOf(
  { knowledge, beliefs }: AskParts,
  situation: Situation,
  { call }: MayAnswer,
  { at, reading }: JudgedCall,
): Reading[] {
  const made = situation.read(call);
  const { length } = knowledge.predicates;
  const done = [...situation.history, completed(beliefs, situation.tuples, made, length)];
  if (at !== 'outcome' || reading === null) return done;
  return [...done, completed(beliefs, beliefs.after(situation.tuples, made), reading, length)];
}

function textOf(
  may: MayAnswer,
  reasons: readonly WhyNotReason[],
  changes: WhyNotAnswer['changes'],
  { knowledge }: AskParts,
): string {
  if (may.answer === 'yes') return `Nothing is against it: ${callText(may.call)} is allowed.`;
  if (may.together) return [may.text, changesText(changes)].join('\n');
  const why = reasons.map(
    ({ rule, explanation }) => `${capital(knowledge.quoted(rule))} would be ${explanation}.`,
  );
  return [...(why.length === 0 ? [may.text] : why), changesText(changes)].join('\n');
}

function changesText(changes: readonly (readonly Change[])[] | null): string {
  if (changes === null)
    return 'What would have to be different was not found: there are too many possibilities.';
  if (changes.length === 0)
    return 'No change of the present state would do: it is what has happened, or has not, that stands against it.';
  const each = changes.map((one) => listed(one.map(({ said }) => said)));
  return `It would be allowed if ${listed(each, 'or if')}.`;
}
