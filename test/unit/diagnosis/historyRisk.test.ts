import '../../../bindings/solvers/kernel/inline.js';
import { describe, expect, it } from 'vitest';
import { riskTable } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { abstractRuns, historyRisk, orderDependence } from '../../../bindings/study/diagnosis/index.js';
import { word } from '../risk/learnt.js';

const specification = parseSpecification(
  `version: 1
predicates: { a: 'x == "a"', b: 'x == "b"', c: 'x == "c"', d: 'x == "d"' }
rules:
  whole: { formula: 'G !d', threshold: 0.3 }
  likely: { formula: 'P<0.1 [ F d ]' }
learning: { smoothing: 0 }
`,
  { source: 'letters.yaml' },
);
/** After ab: d in 30 of 40; after cb: in 10 of 40. A first-order chain knows 40 of 80 alone. */
const runs = [
  ...Array.from({ length: 40 }, (_, i) => word(i < 30 ? 'abd' : 'ab', `a${i}`)),
  ...Array.from({ length: 40 }, (_, i) => word(i < 10 ? 'cbd' : 'cb', `c${i}`)),
];

describe('the risk with history', () => {
  it('is that of each history in states that depend on it', async () => {
    const { history, counter } = await abstractRuns(specification, runs);
    const order = orderDependence(history);
    expect(order.states[0]).toMatchObject({ dependent: true, histories: 2, method: 'chiSquare' });
    const [whole, likely] = historyRisk(history, order, specification);
    for (const { lower, upper } of [whole.start!.firstOrder, whole.start!.secondOrder]) {
      expect(lower).toBeLessThanOrEqual(0.5);
      expect(upper).toBeGreaterThanOrEqual(0.5);
    }
    const [{ start }] = riskTable(
      { ...specification, rules: [specification.rules[0]] },
      counter.finish().model,
    ).rules;
    expect(whole.start!.firstOrder.upper).toBeCloseTo(start.upper, 6);
    const shifts = whole.shifts.map(({ after, description, draws, firstOrder, secondOrder }) => ({
      pair: after[0] + description[0],
      draws,
      first: firstOrder.upper,
      second: secondOrder.upper,
    }));
    // Also from a and c themselves, as what follows is known there.
    const sorted = shifts.sort((x, y) => x.pair.localeCompare(y.pair));
    expect(sorted.map(({ pair, draws }) => [pair, draws])).toEqual([
      ['ab', 40],
      ['cb', 40],
      ['sa', 40],
      ['sc', 40],
    ]);
    expect(sorted.map(({ first }) => first)).toEqual([0.5, 0.5, 0.5, 0.5].map((x) => expect.closeTo(x, 5)));
    expect(sorted.map(({ second }) => second)).toEqual(
      [0.75, 0.25, 0.75, 0.25].map((x) => expect.closeTo(x, 5)),
    );
    expect(likely).toMatchObject({
      start: null,
      shifts: [],
      reason: expect.stringMatching(/without history/),
    });
  });

  it('is the same where no state depends on it', async () => {
    const even = runs.map((run, i) => ({ ...run, steps: word(i % 2 ? 'abd' : 'cb').steps }));
    const mixed = even.map((run, i) =>
      i % 4 < 2 ? run : { ...run, steps: word(i % 2 ? 'cbd' : 'ab').steps },
    );
    const { history } = await abstractRuns(specification, mixed);
    const order = orderDependence(history);
    expect(order.states.some(({ dependent }) => dependent)).toBe(false);
    const [whole] = historyRisk(history, order, specification);
    expect(whole.shifts).toEqual([]);
    expect(whole.start!.secondOrder).toEqual(whole.start!.firstOrder);
  });
});
