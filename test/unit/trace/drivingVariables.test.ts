import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { freeNames, parseExpression } from '../../../bindings/languages/expression/index.js';
import { deriveAbstraction, parseFormula } from '../../../bindings/languages/logic/index.js';
import { DRIVING_VARIABLES } from '../../../bindings/observations/trace/index.js';
import { sharedData } from '../../shared.js';

const names = DRIVING_VARIABLES.map(({ name }) => name as string);

describe('the driving variables', () => {
  it('have names of their own, descriptions and finite defaults', () => {
    expect(new Set(names).size).toBe(names.length);
    for (const { description, default: value } of DRIVING_VARIABLES) {
      expect(description).not.toBe('');
      expect(Number.isFinite(value)).toBe(true);
    }
  });

  sharedData('traffic-laws/laws.json', (path) => {
    it('are all that the laws speak of', () => {
      const laws = Object.values<string>(JSON.parse(readFileSync(path, 'utf8')));
      const { predicates } = deriveAbstraction(laws.map((law) => parseFormula(law)));
      const used = new Set(predicates.flatMap(({ expression }) => freeNames(parseExpression(expression))));
      expect(used.size).toBeGreaterThan(20);
      expect([...used].filter((name) => !names.includes(name))).toEqual([]);
    });
  });
});
