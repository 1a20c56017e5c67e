import { describe, expect, it } from 'vitest';
import { equivalent } from '../../../bindings/languages/automaton/compare/index.js';
import { readEnglish } from '../../../bindings/languages/english/read/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import { FIRST, SECOND } from './wishes.js';

/** How many wishes of each setting are read right, or asked about with the truth among the readings, at least. */
const FOUND: Readonly<Record<string, number>> = {
  home: 10,
  mail: 10,
  bank: 5,
  drone: 8,
  warehouse: 7,
  hospital: 10,
  greenhouse: 8,
  support: 9,
};

describe('wishes of people', () => {
  it.each([...FIRST, ...SECOND].map((setting) => [setting.name, setting] as const))(
    '%s',
    (name, { predicates, wishes }) => {
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
    },
  );
});

describe('numbers in sentences', () => {
  const predicates = { hot: {}, blows: { say: 'the fan is running' } };
  const definitions = [{ name: 'hot', expression: 'air.temperature > 80' }];
  const read = (sentence: string, samplingPeriod: string | null = null): ReturnType<typeof readEnglish> =>
    readEnglish(sentence, { predicates, definitions, samplingPeriod });

  it.each([
    ['Whenever the temperature is above 80, the fan is running.', 'G (hot -> blows)'],
    ['Whenever the air temperature is at most 80, the fan must not run.', 'G (!hot -> !blows)'],
  ])('%s', (sentence, formula) => {
    const reading = read(sentence);
    expect(reading.kind === 'one' && equivalent(reading.formula, parseFormula(formula))).toBe(true);
  });

  it('need a predicate for each number', () => {
    expect(read('Whenever the temperature is above 90, the fan is running.')).toMatchObject({
      kind: 'refused',
      offers: expect.arrayContaining([expect.stringContaining('air.temperature > 90')]),
    });
  });

  it('are steps where they are seconds and the period is known', () => {
    const sentence = 'Whenever the temperature is above 80, the fan must be running within 3 seconds.';
    const reading = read(sentence, '0.5');
    expect(reading.kind === 'one' && equivalent(reading.formula, parseFormula('G (hot -> F<=6 blows)'))).toBe(
      true,
    );
    expect(read(sentence)).toMatchObject({
      kind: 'refused',
      offers: expect.arrayContaining([expect.stringContaining('samplingPeriod')]),
    });
  });
});

describe('what lasts from some point on', () => {
  it('has no meaning on runs that end', () => {
    const reading = readEnglish('a never holds from some point on.', { predicates: ['a'] });
    expect(reading).toMatchObject({ kind: 'refused', code: 'no-finite-meaning' });
  });
});
