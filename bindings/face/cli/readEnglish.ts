import { printable } from '../../base/words.js';
import { readFretish } from '../../languages/english/index.js';
import { printFormula } from '../../languages/logic/index.js';
import type { Outcome } from './terminal.js';

interface EnglishCommandOptions {
  readonly sentences: readonly string[];
}

/** `foreguard english`: sentences of FRETish as formulas. */
export async function readEnglish({ sentences }: EnglishCommandOptions): Promise<Outcome> {
  const readings = sentences.map((sentence, i) => {
    const name = sentences.length === 1 ? 'sentence' : `sentence ${i + 1}`;
    const { component, cell, unit, formula, past } = readFretish(sentence, { name });
    const { scope, condition, timing, duration } = cell;
    return {
      sentence,
      formula: printFormula(formula),
      past: past === null ? null : printFormula(past),
      component,
      ...{ scope, condition, timing, duration: duration ?? null, unit },
    };
  });
  const notes = readings.flatMap(({ duration, unit }) =>
    unit === null || unit.startsWith('tick')
      ? []
      : [`as in FRET, ${duration} ${unit} are ${duration} steps: write the number of steps that you mean`],
  );
  const lines = readings.flatMap(({ sentence, formula }) =>
    readings.length === 1 ? [formula] : [sentence, `    ${formula}`],
  );
  return {
    json: { readings, notes },
    text: [...lines, ...notes.map((note) => `note: ${note}`)].map((line) => printable(line)).join('\n'),
  };
}
