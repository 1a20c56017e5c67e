import type { Demand } from '../../languages/automaton/compare/index.js';
import type { Automaton } from '../../languages/automaton/index.js';
import { sayFormula } from '../../languages/english/index.js';
import { type Formula, printFormula } from '../../languages/logic/index.js';
import type { ProbabilityBounds, WillAnswer } from './answers.js';
import { Beliefs, type Tuple } from './beliefs.js';
import { continuation, type SearchParts } from './continuations.js';
import type { Knowledge } from './knowledge.js';
import type { Situation } from './run.js';
import { capital, sayRun } from './words.js';

/**
 * Whether all runs, no run or some runs that keep the rules satisfy a formula on the whole run, given the steps that are done and the state at hand. The run goes
 * on for at least the step at hand.
 *
 * @throws NotSupportedError if it takes too much
 */
export function willAnswer(
  parts: SearchParts,
  situation: Situation,
  formula: Formula,
  probability: ProbabilityBounds | null,
): WillAnswer {
  const { knowledge, limits } = parts;
  const automaton = knowledge.automatonOf(formula, limits.tuples);
  const states = statesAfter(knowledge, automaton, situation);
  const find = (accepts: boolean) => shortest(parts, situation, automaton, states, accepts);
  const [with_, without] = [find(true), find(false)];
  const answer =
    with_ === null ? (without === null ? 'no-run' : 'never') : without === null ? 'always' : 'open';
  const said = sayFormula(formula, knowledge.lexicon).replace(/\.$/, '');
  const asked = {
    kind: 'will',
    formula: printFormula(formula),
    said,
    answer,
    with: with_,
    without,
    probability,
  } as const;
  const broken = situation.broken.map(
    (name) => `\n${capital(knowledge.quoted(name))} is broken already, and left out.`,
  );
  return { ...asked, text: `${textOf(knowledge, asked, situation.step)}${broken.join('')}` };
}

/** The states that an automaton may be in after the steps that are done. */
function statesAfter(knowledge: Knowledge, automaton: Automaton, { history }: Situation): number[] {
  const beliefs = new Beliefs([knowledge.trackOf(automaton)], knowledge.predicates);
  let tuples: readonly Tuple[] = [beliefs.initial];
  for (const reading of history) tuples = beliefs.after(tuples, reading);
  return tuples.map(([state]) => state);
}

function shortest(
  parts: SearchParts,
  situation: Situation,
  automaton: Automaton,
  states: readonly number[],
  accepts: boolean,
) {
  let best = null;
  for (const tuple of situation.tuples)
    for (const state of states) {
      const asked: Demand = { automaton: { ...automaton, initial: state }, accepts };
      const found = continuation(parts, situation, [tuple], 'ends', [], [asked]);
      if (found !== null && (best === null || found.length < best.length)) best = found;
    }
  return best;
}

function textOf(
  knowledge: Knowledge,
  { answer, with: with_, without, said, probability }: Omit<WillAnswer, 'text'>,
  step: number,
): string {
  const risk = probability === null ? '' : `\nProbability: ${percent(probability)}.`;
  const example = with_ === null ? '' : sayRun(knowledge, with_, step);
  const counter = without === null ? '' : sayRun(knowledge, without, step);
  switch (answer) {
    case 'no-run':
      return `No run can keep the rules any more.${risk}`;
    case 'always':
      return `Yes, in every run that keeps the rules: ${said}. The shortest: ${example}.${risk}`;
    case 'never':
      return `No, in no run that keeps the rules: ${said}.${risk}`;
    case 'open':
      return `It is open: ${said}.\nA permitted run with it: ${example}; then the run ends.\nA permitted run without it: ${counter}; then the run ends.${risk}`;
  }
}

function percent({ lower, upper }: ProbabilityBounds): string {
  const digits = (value: number) => `${Number((100 * value).toPrecision(4))}%`;
  const [low, high] = [digits(lower), digits(upper)];
  return low === high ? `about ${low}` : `between ${low} and ${high}`;
}
