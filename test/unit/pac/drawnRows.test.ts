import { describe, expect, it } from 'vitest';
import { learn, readLearntChain } from '../../../bindings/estimation/learning/index.js';
import { checkDraws, drawnRows } from '../../../bindings/estimation/pac/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';

const abstraction = new Abstraction({
  predicates: ['a', 'b', 'c'].map((name) => ({ name, expression: `x == "${name}"` })),
  constraints: {
    state: '!(a && b) && !(b && c) && !(a && c) && (a || b || c)',
    transition: '!(from.c && to.a)',
  },
});
const traces = ['ab', 'aab', 'abc'].map((letters) => ({
  id: letters,
  steps: [...letters].map((x) => ({ state: { x } })),
}));

describe('drawn rows', () => {
  it('are the successors seen, in a chain of what was observed', async () => {
    const { model } = await learn(abstraction, traces, { states: 'observed' });
    const rows = drawnRows(readLearntChain(model));
    expect(rows.known).toBe(false);
    // start, a, b, c, end.
    expect([...rows.rowStart]).toEqual([0, 1, 3, 5, 6, 6]);
    expect([...rows.columns]).toEqual([1, 1, 2, 3, 4, 4]);
    expect([...rows.counts]).toEqual([3, 1, 3, 1, 2, 1]);
    expect([...rows.firstDraws]).toEqual([1, 2, 1, 3, 1, 1]);
    expect([...rows.draws]).toEqual([3, 4, 3, 1, 0]);
    expect([...rows.drawsSinceNew]).toEqual([2, 2, 0, 0, 0]);
    expect([...rows.rank]).toEqual([1, 2, 3, 4, 0]);
  });

  it('are all that the constraints allow, where states are all valid ones', async () => {
    const { model } = await learn(abstraction, traces, { states: 'valid', smoothing: 1 });
    const rows = drawnRows(readLearntChain(model));
    expect(rows.known).toBe(true);
    expect([...rows.rowStart]).toEqual([0, 3, 7, 11, 14, 14]);
    expect([...rows.columns.subarray(11)]).toEqual([2, 3, 4]);
    expect([...rows.counts.subarray(3, 7)]).toEqual([1, 3, 0, 0]);
  });

  it('are refused after forgetting, also where what is left is whole', async () => {
    const view = readLearntChain((await learn(abstraction, traces)).model);
    expect(() => drawnRows({ ...view, forgetting: { window: 2, of: 'traces' } })).toThrow(/forgetting/);
  });

  it('are refused where counts are not whole, or do not add up', async () => {
    const rows = drawnRows(readLearntChain((await learn(abstraction, traces)).model));
    expect(() => checkDraws({ ...rows, counts: rows.counts.map((x) => x / 2) })).toThrow(/seen 1.5 times/);
    expect(() => checkDraws({ ...rows, draws: rows.draws.map((x) => x + 1) })).toThrow(
      /state 0 was left 4 times/,
    );
  });
});
