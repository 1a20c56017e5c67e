import { type ComparedTrace, type CompareOptions, distinguish } from '../../automaton/compare/index.js';
import { allows } from '../../automaton/index.js';
import type { Lexicon } from '../lexicon/index.js';
import { automatonOf } from './automata.js';
import type { Reading } from './readings.js';

/** A run of which a person says whether it is allowed. */
export interface Question {
  readonly trace: ComparedTrace;
  /** The run and the question in words. */
  readonly text: string;
  /** Numbers of the readings that are left if it is allowed. */
  readonly ifAllowed: readonly number[];
  /** Numbers of the readings that are left if it is not. */
  readonly ifForbidden: readonly number[];
}

/** The run that divides the readings most evenly among the shortest that tell two of them apart; the shorter one if two divide as well. */
export function questionFor(
  readings: readonly Reading[],
  options: CompareOptions,
  lexicon: Lexicon,
): Question {
  let best: Question | null = null;
  const worst = ({ ifAllowed, ifForbidden }: Question): number =>
    Math.max(ifAllowed.length, ifForbidden.length);
  for (let i = 0; i < Math.min(readings.length, 5); i++)
    for (let j = i + 1; j < Math.min(readings.length, 8); j++) {
      const found = distinguish(automatonOf(readings[i].formula), automatonOf(readings[j].formula), options);
      if (found === null) continue;
      const numbers = readings.map((_, k) => k);
      const holds = readings.map(({ formula }) => allows(automatonOf(formula), found.trace));
      const question: Question = {
        trace: found.trace,
        text: `Is this run allowed: ${inWords(found.trace, lexicon)}?`,
        ifAllowed: numbers.filter((k) => holds[k]),
        ifForbidden: numbers.filter((k) => !holds[k]),
      };
      if (
        best === null ||
        worst(question) < worst(best) ||
        (worst(question) === worst(best) && question.trace.length < best.trace.length)
      )
        best = question;
    }
  return best as Question;
}

/** A run in words: "first nothing; then the stove is on; then the run ends". */
export function inWords(trace: ComparedTrace, lexicon: Lexicon): string {
  const say = (name: string): string => lexicon.phrasesOf(name).holds;
  const steps = trace.map((step, i) => {
    const true_ = Object.keys(step).filter((name) => step[name]);
    return `${i === 0 ? 'first' : 'then'} ${true_.length === 0 ? 'nothing of it holds' : true_.map(say).join(' and ')}`;
  });
  return `${steps.join('; ')}; then the run ends`;
}
