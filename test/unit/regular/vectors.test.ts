import { describe, expect, it } from 'vitest';
import { Alphabet, TRUE, tabulate, textVectors } from '../../../bindings/languages/regular/index.js';
import { contains } from '../../../bindings/languages/regular/machines/plain.js';

const WORDS = ['abcdefg', 'hijklmn', 'opqrstu', 'vwxyzAB', 'CDEFGHI', 'JKLMNOP', 'QRSTUVW'];

describe('what predicates over one text can be together', () => {
  // Seven tables of eight states have more tuples than are numbered; six have fewer.
  it.each([6, 7])('is every choice of %i words that stand in it', (count) => {
    const words = WORDS.slice(0, count);
    const machines = words.map(contains);
    const alphabet = new Alphabet(machines.flatMap(({ sets }) => sets));
    const tables = machines.map((machine) => tabulate(machine, alphabet));
    expect(tables.reduce((product, { states }) => product * states, 1)).toBe(8 ** count);
    const vectors = textVectors(tables);
    expect(vectors).toHaveLength(2 ** count);
    for (const { values, witnesses } of vectors) {
      expect(witnesses).toHaveLength(1);
      expect(values.map((value) => value === TRUE)).toEqual(words.map((word) => witnesses[0].includes(word)));
      const chosen = values.filter((value) => value === TRUE).length;
      expect(witnesses[0]).toHaveLength(7 * chosen);
    }
  });
});
