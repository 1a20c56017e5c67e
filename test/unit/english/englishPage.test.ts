import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createLexicon, readFretish, sayFormula } from '../../../bindings/languages/english/index.js';
import { parseFormula, printFormula } from '../../../bindings/languages/logic/index.js';

const page = readFileSync(new URL('../../../docs/english.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| (\w.* shall .*) \| `(.*)` \|$/gm)].map(([, sentence, formula]) => ({
  sentence,
  formula: formula.replaceAll('\\|', '|'),
}));

const said = [...page.matchAll(/^\| `(.*)` \| (.*\.) \|$/gm)].map(([, formula, sentence]) => ({
  formula: formula.replaceAll('\\|', '|'),
  sentence,
}));

describe('docs/english.md', () => {
  it('has sentences', () => expect(rows.length).toBeGreaterThanOrEqual(5));

  it.each(rows)('$sentence', ({ sentence, formula }) => {
    const printed = printFormula(readFretish(sentence).formula);
    expect(printed).toBe(formula);
    expect(printFormula(parseFormula(printed))).toBe(printed);
  });

  it('says formulas', () => expect(said.length).toBeGreaterThanOrEqual(9));

  it.each(said)('$formula is said', ({ formula, sentence }) => {
    expect(sayFormula(parseFormula(formula))).toBe(sentence);
  });

  it('shows what its second program prints', () => {
    const [, formula, sentence] = page.match(
      /parseFormula\('(.*)'\), lexicon\)\); \/\/ (.*)\n/,
    ) as RegExpMatchArray;
    const lexicon = createLexicon({ inKitchen: { say: 'the robot is in the kitchen' }, stoveOn: {} });
    expect(sayFormula(parseFormula(formula), lexicon)).toBe(sentence);
  });

  it('shows what its program prints', () => {
    const [, sentence, printed] = page.match(/readFretish\('(.*)'\);\n.*\/\/ (.*)\n/) as RegExpMatchArray;
    expect(printFormula(readFretish(sentence).formula)).toBe(printed);
  });
});
