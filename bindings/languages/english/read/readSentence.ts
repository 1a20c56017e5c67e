import { printFormula } from '../../logic/index.js';
import { readFretish } from '../fretish/index.js';
import { createLexicon } from '../lexicon/index.js';
import { sayFormula } from '../say/index.js';
import { type EnglishReading, type ReadEnglishOptions, readEnglish } from './readEnglish.js';
import type { Reading } from './readings.js';
import { spoken } from './vocabulary.js';

/** Whether a sentence is one of FRETish: no form of everyday English has both words. */
export function isFretish(sentence: string): boolean {
  return /\bshall\b/i.test(sentence) && /\bsatisfy\b/i.test(sentence);
}

/**
 * Reads a sentence of FRETish, which has one reading, or else one of everyday English.
 *
 * @param name the name of the sentence in messages
 * @throws ParseError, as of `readFretish`
 */
export function readSentence(sentence: string, options: ReadEnglishOptions, name: string): EnglishReading {
  if (!isFretish(sentence)) return readEnglish(sentence, options);
  const { formula } = readFretish(sentence, { name });
  const lexicon = createLexicon(Object.fromEntries(spoken(options.predicates)));
  return { kind: 'one', formula, sentence: sayFormula(formula, lexicon), choices: [] };
}

/** The reading in lines: its formula, the sentence that says it, and how the words were taken. */
export function describeReading({ formula, sentence, choices }: Reading): string[] {
  const taken = choices.map(({ word, means }) => `"${word}": ${means}`);
  return [printFormula(formula), sentence, ...(taken.length === 0 ? [] : [taken.join('; ')])];
}

/** Readings that are numbered from 1, in lines. */
export function describeReadings(readings: readonly Reading[]): string[] {
  return readings.flatMap((reading, i) =>
    describeReading(reading).map((line, row) => `  ${row === 0 ? `${i + 1}. ` : '   '}${line}`),
  );
}

/** Numbers of readings in words, counted from 1: "1 or 3". */
export function numbered(readings: readonly number[]): string {
  return readings.map((i) => i + 1).join(' or ');
}
