import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFretish } from '../../../bindings/languages/english/index.js';
import { parseFormula, printFormula } from '../../../bindings/languages/logic/index.js';

const page = readFileSync(new URL('../../../docs/english.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| (\w.* shall .*) \| `(.*)` \|$/gm)].map(([, sentence, formula]) => ({
  sentence,
  formula: formula.replaceAll('\\|', '|'),
}));

describe('docs/english.md', () => {
  it('has sentences', () => expect(rows.length).toBeGreaterThanOrEqual(5));

  it.each(rows)('$sentence', ({ sentence, formula }) => {
    const printed = printFormula(readFretish(sentence).formula);
    expect(printed).toBe(formula);
    expect(printFormula(parseFormula(printed))).toBe(printed);
  });

  it('shows what its program prints', () => {
    const [, sentence, printed] = page.match(/readFretish\('(.*)'\);\n.*\/\/ (.*)\n/) as RegExpMatchArray;
    expect(printFormula(readFretish(sentence).formula)).toBe(printed);
  });
});
