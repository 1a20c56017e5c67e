import { describe, expect, it } from 'vitest';
import { equivalent } from '../../../bindings/languages/automaton/compare/index.js';
import { readEnglish } from '../../../bindings/languages/english/read/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import { MISSIONS } from './missions.js';

/** With names of several words in place of letters, so that no letter is taken for a word. */
const PLACES = { a: 'inKitchen', b: 'inHall', c: 'inCellar' } as const;
const WORDS = { a: 'the kitchen', b: 'the hall', c: 'the cellar' } as const;
type Letter = keyof typeof PLACES;

describe('mission patterns in the words of several people', () => {
  it.each(MISSIONS.map((mission) => [mission.pattern, mission] as const))(
    '%s',
    (_, { formula, sentences }) => {
      const known = formula === null ? null : parseFormula(formula);
      for (const sentence of sentences.trim().split(/\s*\n\s*/)) {
        const reading = readEnglish(sentence, { predicates: ['a', 'b', 'c'] });
        if (known === null)
          expect(reading, sentence).toMatchObject({ kind: 'refused', code: 'no-finite-meaning' });
        else {
          const found = reading.kind === 'one' ? [reading] : reading.kind === 'ask' ? reading.readings : [];
          expect(
            found.some((one) => equivalent(one.formula, known)),
            sentence,
          ).toBe(true);
        }
      }
    },
  );

  it('have the same readings with places in place of letters', () => {
    const predicates = Object.values(PLACES);
    for (const { formula, sentences } of MISSIONS.slice(0, 4)) {
      const named = (formula as string).replace(/\b[abc]\b/g, (letter) => PLACES[letter as Letter]);
      for (const sentence of sentences.trim().split(/\s*\n\s*/)) {
        const said = sentence.replace(/\b[abc]\b(?! later)/g, (letter) => WORDS[letter as Letter]);
        const reading = readEnglish(said, { predicates });
        const found = reading.kind === 'one' ? [reading] : reading.kind === 'ask' ? reading.readings : [];
        expect(
          found.some((one) => equivalent(one.formula, parseFormula(named))),
          said,
        ).toBe(true);
      }
    }
  });
});
