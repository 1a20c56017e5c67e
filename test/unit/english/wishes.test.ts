import { describe, expect, it } from 'vitest';
import { equivalent } from '../../../bindings/languages/automaton/compare/index.js';
import { readEnglish } from '../../../bindings/languages/english/read/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import { FIRST } from './wishes.js';

/** How many wishes of each setting are read right, or asked about with the truth among the readings, at least. */
const FOUND: Readonly<Record<string, number>> = { home: 9, mail: 7, bank: 5, drone: 8 };

describe('wishes of people', () => {
  it.each(FIRST.map((setting) => [setting.name, setting] as const))('%s', (name, { predicates, wishes }) => {
    const found = wishes.filter(([sentence, ...formulas]) => {
      const known = formulas.map((formula) => parseFormula(formula));
      const isKnown = (formula: (typeof known)[number]): boolean =>
        known.some((one) => equivalent(one, formula));
      const reading = readEnglish(sentence, { predicates });
      // Nothing is taken for what was not meant without a question.
      if (reading.kind === 'one') expect(isKnown(reading.formula), sentence).toBe(true);
      if (reading.kind === 'refused') expect(reading.offers.length, sentence).toBeGreaterThan(0);
      return (
        reading.kind === 'one' ||
        (reading.kind === 'ask' && reading.readings.some((one) => isKnown(one.formula)))
      );
    });
    expect(found.length).toBeGreaterThanOrEqual(FOUND[name]);
  });
});
