import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createGuard, type GuardFile, loadGuard } from '../../../bindings/runtime/guard/index.js';

const rules = (more: string): GuardFile =>
  compileRules(
    parseSpecification(`version: 1
predicates: { a: 'a', b: 'b' }
rules: { next: { formula: 'G (a -> X b)', strategy: block } }
${more}`),
  );

const steps = [
  { state: { a: false, b: true }, time: 0 },
  { state: { a: true, b: true }, time: 1 },
  // A step is missing before this one.
  { state: { a: true, b: false }, time: 3 },
  { state: { a: false, b: false }, time: 3.2 },
  { state: { a: true }, time: 4 },
  { state: { a: false, b: false }, time: 5 },
];

describe('a guard of rules alone that is loaded on demand', () => {
  it.each([
    ['plain', ''],
    ['with constraints', "constraints: { state: 'a || b', transition: '!(from.a && to.b)' }"],
    ['with a period that gaps break', 'samplingPeriod: 1s'],
    ['with a period that is held', 'samplingPeriod: 1s\nresample: hold'],
  ])('decides and explains as one that has everything: %s', async (_, more) => {
    const file = rules(more);
    const [loaded, created] = [await loadGuard(JSON.stringify(file)), createGuard(file)];
    for (const step of steps) {
      const [found, expected] = [loaded.step(step.state, step), created.step(step.state, step)];
      expect(found).toEqual(expected);
      expect(loaded.observed()).toEqual(created.observed());
      expect(loaded.explain(found)).toBe(created.explain(expected));
      expect(loaded.reflection(found)).toBe(created.reflection(expected));
    }
    expect(loaded.history.length).toBe(created.history.length);
  });

  it('is refused if its file has what only that of a model has, as by createGuard', async () => {
    const file = rules('');
    const [rule] = file.rules;
    const tables = { groups: [[0, 1]], groupOf: [], risk: '' };
    const wrong: [Partial<Record<keyof GuardFile, unknown>>, string][] = [
      [{ states: { ...file.states, draws: [1], valuations: [0] } }, 'states.draws'],
      [{ states: { ...file.states, valuations: [0] } }, 'states.valuations'],
      [{ states: { ...file.states, words: 2 } }, 'states.words'],
      [{ seen: { rowStart: [0], columns: [0] } }, 'seen.'],
      [{ seen: { rowStart: [0, 0], columns: [] } }, 'seen.rowStart'],
      [{ seen: { rowStart: [1], columns: [] } }, 'seen.rowStart'],
      [{ rules: [{ ...rule, tables }] }, 'rules[0].tables'],
      [{ rules: [{ ...rule, evaluation: 'state' }] }, 'rules[0].automaton.states'],
      [{ decideOn: 'confidenceUpper' }, 'decideOn'],
      [{ decideOn: 'confidenceUpper', confidence: { delta: 0.05 } }, 'confidence'],
      [{ onIdle: { kind: 'stop' } }, 'onIdle'],
      [{ durations: { '1s': 1 } }, 'durations'],
      [{ modelHash: undefined }, 'modelHash'],
    ];
    for (const [part, place] of wrong) {
      const bad = { ...file, ...part } as GuardFile;
      expect(() => createGuard(bad), place).toThrow(place);
      await expect(loadGuard(bad), place).rejects.toThrow(place);
    }
  });
});
