import { describe, expect, it } from 'vitest';
import { deriveAbstraction, parseFormula, printFormula } from '../../../bindings/languages/logic/index.js';

describe('deriveAbstraction', () => {
  it('makes one readable predicate of every distinct comparison', () => {
    const rules = [
      'G (light == 3 & PriorityNPCAhead == 0 -> F[0,100] speed > 0.5)',
      'G (stoplineAhead <= 2 | light==3 -> speed < 0.5)',
    ];
    const { predicates, formulas } = deriveAbstraction(rules.map((rule) => parseFormula(rule)));
    expect(predicates).toEqual([
      { name: 'lightIs3', expression: 'light == 3' },
      { name: 'PriorityNPCAheadIs0', expression: 'PriorityNPCAhead == 0' },
      { name: 'speedAbove0_5', expression: 'speed > 0.5' },
      { name: 'stoplineAheadAtMost2', expression: 'stoplineAhead <= 2' },
      { name: 'speedBelow0_5', expression: 'speed < 0.5' },
    ]);
    expect(formulas.map(printFormula)).toEqual([
      'G (lightIs3 & PriorityNPCAheadIs0 -> F<=100 speedAbove0_5)',
      'G (stoplineAheadAtMost2 | lightIs3 -> speedBelow0_5)',
    ]);
  });

  it('gives names that differ from each other and from names in use', () => {
    const { predicates } = deriveAbstraction(
      [parseFormula('xAbove1 & x > 1 & `x > (1)` & x > -1 & `[1] == [1]`')],
      ['xAboveMinus1'],
    );
    const names = predicates.map(({ name }) => name);
    expect(names).toContain('xAbove1_2');
    expect(names).toContain('xAboveMinus1_2');
    expect(new Set([...names, 'xAbove1', 'xAboveMinus1']).size).toBe(names.length + 2);
    for (const name of names) expect(printFormula(parseFormula(name))).toBe(name);
  });

  it('leaves formulas without comparisons as they are', () => {
    const formula = parseFormula('G !(a & b)');
    expect(deriveAbstraction([formula])).toEqual({ predicates: [], formulas: [formula] });
  });
});
