import { describe, expect, it } from 'vitest';
import { parsePool } from '../../../bindings/rules/specification/index.js';
import { candidates, comparisons } from '../../../bindings/study/diagnosis/pool.js';
import { halves } from '../../../bindings/study/diagnosis/suggestPredicates.js';

const run = (states: readonly Record<string, unknown>[], group = 0) => ({
  id: `r${group}`,
  complete: true,
  group,
  rows: new Uint32Array(states.length),
  numbers: null,
  steps: states.map((state) => ({ state })),
});

describe('comparisons over fields', () => {
  it('are of fields that every step has: Booleans, few values, thresholds at quantiles', () => {
    const states = Array.from({ length: 80 }, (_, i) => ({
      on: i % 2 === 0,
      lane: i % 3,
      role: i < 40 ? 'user' : 'agent',
      same: 1,
      speed: i / 8,
      at: { depth: i % 2 ? 1.5 : -2.5, 'no name': i },
      list: [i],
      ...(i > 0 && { late: true }),
      mixed: i % 2 ? 1 : 'one',
    }));
    const made = comparisons([run(states)]);
    expect(made.filter((expression) => !expression.startsWith('speed'))).toEqual([
      'on',
      'lane == 0',
      'lane == 1',
      'lane == 2',
      'role == "user"',
      'role == "agent"',
      'at.depth == -2.5',
      'at.depth == 1.5',
    ]);
    const thresholds = made
      .flatMap((expression) => /^speed >= (.*)$/.exec(expression)?.[1] ?? [])
      .map(Number);
    expect(thresholds).toHaveLength(7);
    thresholds.forEach((threshold, i) => {
      expect(states.filter(({ speed }) => speed >= threshold)).toHaveLength(80 - 10 * (i + 1));
    });
  });

  it('are tried once, though written in two ways or turned around', () => {
    const runs = [
      run([
        { on: true, n: 1 },
        { on: false, n: 2 },
        { on: true, n: 1 },
      ]),
    ];
    const pool = [
      { name: 'onNow', expression: 'on' },
      { name: 'off', expression: '!on' },
      { name: 'always', expression: 'n > 0' },
    ];
    const found = candidates(runs, pool, ['n == 1', 'n == 2']);
    expect(found.candidates.map(({ name, expression }) => [name, expression])).toEqual([['onNow', 'on']]);
    expect([...found.candidates[0].holds]).toEqual([1, 0, 1]);
    expect(found.failed).toEqual([]);
  });
});

describe('halves of runs', () => {
  it('do not divide what belongs together, and depend on the seed alone', () => {
    const runs = Array.from({ length: 60 }, (_, i) => ({ group: i % 20 }));
    const { trained, judged } = halves(runs, 5);
    expect([trained.length, judged.length]).toEqual([30, 30]);
    const groups = new Set(trained.map((r) => runs[r].group));
    expect(judged.some((r) => groups.has(runs[r].group))).toBe(false);
    expect([...trained, ...judged].sort((a, b) => a - b)).toEqual(runs.map((_, i) => i));
    expect(halves(runs, 5)).toEqual({ trained, judged });
    expect(halves(runs, 6)).not.toEqual({ trained, judged });
  });
});

describe('a file of predicates to try', () => {
  it('may be a specification', () => {
    expect(parsePool('version: 1\npredicates: { fast: speed > 3 }\nrules: {}\n')).toEqual([
      { name: 'fast', expression: 'speed > 3' },
    ]);
  });

  it('is refused with the place of what is wrong', () => {
    expect(() => parsePool('predicates:\n  fast: "speed >"\n', { source: 'p.yaml' })).toThrow(
      /^p\.yaml:2:\d+: /,
    );
    expect(() => parsePool('names: {}', { source: 'p.yaml' })).toThrow(/predicates must be a mapping/);
  });
});
