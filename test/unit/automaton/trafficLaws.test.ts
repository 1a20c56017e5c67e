import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildAutomaton, VIOLATED } from '../../../bindings/languages/automaton/index.js';
import { deriveAbstraction, parseFormula } from '../../../bindings/languages/logic/index.js';
import { sharedData } from '../../shared.js';

sharedData('traffic-laws/laws.json', (path) => {
  const laws: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'));

  it('every law parses, and its predicates follow from it', () => {
    for (const [name, text] of Object.entries(laws)) {
      const { predicates, formulas } = deriveAbstraction([parseFormula(text, { name })]);
      expect(predicates.length, name).toBeGreaterThan(0);
      const automaton = buildAutomaton(formulas[0]);
      expect(automaton.predicates.toSorted(), name).toEqual(predicates.map(({ name }) => name).toSorted());
      expect(Array.from(automaton.verdict), name).toContain(VIOLATED);
    }
  });

  it('deadlines cost a state a step, two of them a state a pair of steps', () => {
    const states = (name: string) =>
      buildAutomaton(deriveAbstraction([parseFormula(laws[name])]).formulas[0]).states;
    expect(states('rule38_1')).toBe(102);
    expect(states('rule38_2')).toBe(101 * 101 + 1);
    expect(states('rule44')).toBe(6002);
    expect(states('rule47')).toBe(111);
    expect(states('rule51_4')).toBe(16);
    expect(states('rule53')).toBe(202);
  });
});
