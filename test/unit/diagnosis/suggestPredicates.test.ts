import { describe, expect, it } from 'vitest';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { parseSpecification, type Specification } from '../../../bindings/rules/specification/index.js';
import {
  type AbstractRuns,
  abstractRuns,
  orderDependence,
  suggestPredicates,
} from '../../../bindings/study/diagnosis/index.js';
import { clopperPearsonInterval } from '../../../bindings/study/evaluation/index.js';
import { hiddenMode } from './worlds.js';

const abcd = (extra = ''): Specification =>
  parseSpecification(
    `version: 1
predicates: { a: 'x == "a"', b: 'x == "b"', c: 'x == "c"', d: 'x == "d"'${extra} }
rules: { whole: { formula: 'G !d', threshold: 0.3 } }
`,
    { source: 'letters.yaml' },
  );
const opened = (runs: number, seed: number, told: boolean, noise = 6): Promise<AbstractRuns> =>
  abstractRuns(abcd(), hiddenMode(runs, seed, { told, noise }));

/** A run that hurries ever drives 6 and more, but for the shortest ones. */
const fast = ({ steps }: Trace): boolean => steps.some(({ state }) => Number(state.speed) >= 6);

describe('a mode that the predicates do not show', () => {
  it('makes what follows depend on history', async () => {
    const { history } = await opened(300, 1, true);
    const { states } = orderDependence(history);
    expect(states.filter(({ dependent }) => dependent).map(({ description }) => description[0])).toContain(
      'a',
    );
  });

  it('is told by the field that holds it, not by noise', async () => {
    const found = suggestPredicates(await opened(600, 1, true), abcd());
    expect(found.candidates).toBeGreaterThan(30);
    expect([found.chosenOn, found.heldOut]).toEqual([300, 300]);
    const [next, rule] = found.targets;
    const [first] = next.suggestions;
    expect(first.expression).toMatch(/^speed >= [4-6]/);
    expect(first.heldOut.pValue).toBeLessThan(0.001);
    expect(first.heldOut.gainBits).toBeGreaterThan(0.05);
    const [split] = first.splits;
    expect(split.description).toMatch(/^a;/);
    expect(Math.abs(split.outcome.ifTrue - split.outcome.ifFalse)).toBeGreaterThan(0.3);
    expect(rule.rule).toBe('whole');
    expect(rule.suggestions[0].expression).toMatch(/^speed >= /);
    for (const { suggestions } of found.targets)
      for (const { expression } of suggestions) expect(expression).toMatch(/^speed/);
  });

  it('no longer makes history count once its predicate is added', async () => {
    const exact = hiddenMode(300, 1, { told: true, noise: 0 }).map((trace) => ({
      ...trace,
      steps: trace.steps.map((step) => ({ state: { ...step.state, hurry: fast(trace) } })),
    }));
    const { history } = await abstractRuns(abcd(', hurry: hurry'), exact);
    expect(orderDependence(history).states.some(({ dependent }) => dependent)).toBe(false);
    const without = await abstractRuns(abcd(), exact);
    const [{ suggestions }] = suggestPredicates(without, abcd(), { most: 1 }).targets;
    expect(suggestions.map(({ expression }) => expression)).toEqual(['hurry']);
  });

  it('is no reason to suggest noise where no field tells it', async () => {
    const sets = 12;
    let suggesting = 0;
    for (let seed = 0; seed < sets; seed++) {
      const { targets } = suggestPredicates(await opened(50, seed, false), abcd(), { level: 0.2, seed });
      expect(targets).toHaveLength(2);
      if (targets.some(({ suggestions }) => suggestions.length > 0)) suggesting++;
    }
    expect(clopperPearsonInterval(suggesting, sets, 1 - 2e-6).confidenceLower).toBeLessThanOrEqual(0.2);
  });
});

describe('a pool of predicates', () => {
  it('is told which of them fail, and where; the others are tried', async () => {
    const pool = [
      { name: 'gone', expression: 'nowhere > 1' },
      { name: 'fast', expression: 'speed >= 5.5' },
    ];
    const { failed, targets } = suggestPredicates(await opened(200, 3, true), abcd(), {
      pool,
      compareFields: false,
    });
    expect(failed).toHaveLength(1);
    expect(failed[0].name).toBe('gone');
    expect(failed[0].message).toMatch(/^trace "0", step 0: .*nowhere/);
    expect(targets[0].suggestions.map(({ name }) => name)).toEqual(['fast']);
  });

  it('is refused with a malformed expression, by name', async () => {
    const pool = [{ name: 'half', expression: 'speed >' }];
    expect(() => suggestPredicates({ ...none }, abcd(), { pool })).toThrow(/predicate "half" of the pool/);
  });

  it('is not judged on too few runs', async () => {
    expect(suggestPredicates(await opened(30, 1, true), abcd()).targets).toEqual([]);
  });
});

const none = await opened(30, 1, true);
