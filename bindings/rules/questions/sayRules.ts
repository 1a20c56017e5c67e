import { sampleTraces } from '../../languages/automaton/compare/index.js';
import type { RulesAnswer, SaidRule } from './answers.js';
import type { Knowledge } from './knowledge.js';
import { sayRun } from './words.js';

/** Runs of each kind that are shown of a rule. */
const SHOWN = 2;

/** The rules in words, each with short runs that keep it and that break it; only runs that the assumptions allow are shown. */
export function rulesAnswer(knowledge: Knowledge): RulesAnswer {
  const constraints = knowledge.tracks.filter(({ rule }) => rule === null).map(({ automaton }) => automaton);
  const rules = knowledge.rules.map(({ name, formulaText, automaton, atEnd }): SaidRule => {
    const runs = (holds: boolean) => sampleTraces(automaton, { count: SHOWN, holds, atEnd, constraints });
    return {
      name,
      formula: formulaText,
      english: knowledge.englishOf(name),
      good: runs(true),
      bad: runs(false),
    };
  });
  const lines = rules.flatMap(({ name, english, good, bad }) => [
    `${name}: ${english}`,
    ...good.map((run) => `  keeps it: ${sayRun(knowledge, run)}`),
    ...bad.map((run) => `  breaks it: ${sayRun(knowledge, run)}`),
  ]);
  return {
    kind: 'rules',
    rules,
    text: lines.length === 0 ? 'There are no rules on runs.' : lines.join('\n'),
  };
}
