import { InvalidDataError, ParseError } from '../../../base/errors.js';
import { requireText } from '../../../base/suggest.js';
import { type CompareOptions, distinguish } from '../../automaton/compare/index.js';
import { deriveAbstraction, type Formula, printFormula } from '../../logic/index.js';
import { createLexicon } from '../lexicon/index.js';
import { sayFormula } from '../say/index.js';
import { inWords } from './question.js';
import type { EnglishReading, ReadEnglishOptions } from './readEnglish.js';
import type { Reading } from './readings.js';
import { describeReadings, numbered, readSentence } from './readSentence.js';
import type { Refusal } from './refusal.js';
import { spoken } from './vocabulary.js';

/** How the sentence of a rule is read. */
export interface ReadRuleOptions extends ReadEnglishOptions {
  /** The formula that stands beside the sentence: it must be one of its readings. Default: none, and the sentence must have one reading. */
  readonly formula?: Formula;
  /** The name of the sentence in messages. Default `sentence`. */
  readonly name?: string;
}

/**
 * Reads the sentence of a rule, FRETish or everyday English, as `readRule` of `parseSpecification`.
 *
 * @returns the formula; the one given, if it is one of the readings
 * @throws ParseError with the place in the sentence if it cannot be read; InvalidDataError if it has several readings, with a run that tells them apart, and if none of its
 * readings is equivalent to `formula`, with a run on which they differ
 */
export function readRule(sentence: string, options: ReadRuleOptions): Formula {
  requireText('readRule', sentence);
  const { formula, name = 'sentence' } = options;
  const reading = readSentence(sentence, options, name);
  if (reading.kind === 'refused') throw refusalError(reading, sentence, name);
  if (formula === undefined) {
    if (reading.kind === 'one') return reading.formula;
    throw new InvalidDataError(`${name}: ${describeQuestion(reading)}\n${WRITE}`);
  }
  const readings = reading.kind === 'one' ? [reading] : reading.readings;
  requireOneOf(readings, formula, options);
  return formula;
}

const WRITE = 'Write the formula of the one that you mean beside the sentence, or say it in other words';

/** The readings, and the run that tells them apart. */
export function describeQuestion({ readings, question }: EnglishReading & { kind: 'ask' }): string {
  const { ifAllowed, ifForbidden } = question;
  return [
    `the sentence can be meant in ${readings.length} ways:`,
    ...describeReadings(readings),
    `${question.text} If it is: ${numbered(ifAllowed)}. If it is not: ${numbered(ifForbidden)}.`,
  ].join('\n');
}

function refusalError({ message, offers, place }: Refusal, sentence: string, name: string): ParseError {
  const before = sentence.slice(0, place?.start ?? 0).split('\n');
  return new ParseError([message, ...offers].join('; '), {
    source: name,
    line: before.length,
    column: (before.at(-1) as string).length + 1,
  });
}

/** @throws InvalidDataError with a run on which the formula and the reading that is closest to it differ */
function requireOneOf(
  readings: readonly Reading[],
  formula: Formula,
  { predicates, constraints, definitions = [], samplingPeriod = null, name = 'sentence' }: ReadRuleOptions,
): void {
  const words = Object.fromEntries(spoken(predicates));
  const lexicon = createLexicon(words);
  const known = [
    ...Object.keys(words).filter((one) => definitions.every((of) => of.name !== one)),
    ...definitions,
  ];
  const [written, ...read] = deriveAbstraction(
    [formula, ...readings.map((one) => one.formula)],
    known,
  ).formulas;
  const compare: CompareOptions = { samplingPeriod, ...(constraints !== undefined && { constraints }) };
  let first: ReturnType<typeof distinguish> = null;
  for (const one of read) {
    const found = distinguish(written, one, compare);
    if (found === null) return;
    first ??= found;
  }
  const { trace, holds } = first as NonNullable<typeof first>;
  const sentence = readings.length === 1 ? 'sentence' : 'first of them';
  const [allows, forbids] = holds === 'first' ? ['formula', sentence] : [sentence, 'formula'];
  throw new InvalidDataError(
    [
      `${name}: the sentence and the formula beside it say different things`,
      `  the formula ${printFormula(formula)}: ${sayFormula(formula, lexicon)}`,
      ...(readings.length === 1
        ? [`  the sentence ${printFormula(readings[0].formula)}: ${readings[0].sentence}`]
        : [
            '  the sentence can be meant in these ways, and in none of them as the formula:',
            ...describeReadings(readings),
          ]),
      `  the ${allows} allows this run, the ${forbids} does not: ${inWords(trace, lexicon)}`,
      'Write one of them anew; without the formula, foreguard english --lock writes that of the sentence',
    ].join('\n'),
  );
}
