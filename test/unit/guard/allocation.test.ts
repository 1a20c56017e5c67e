import { describe, expect, it } from 'vitest';
import type { GuardFile } from '../../../bindings/runtime/guard/index.js';
import { garbageOf } from '../../garbage.js';

/** Bytes that all calls together may leave behind. */
const LITTLE = 100_000;

describe('stepInto', () => {
  it.each<Partial<GuardFile>>([
    {},
    { samplingPeriodSeconds: 0.1 },
    {
      samplingPeriodSeconds: 0.1,
      resample: 'hold',
      decideOn: 'confidenceUpper',
      confidence: { delta: 0.05 },
    },
    {
      drift: {
        falseAlarmRate: 1e-3,
        onDrift: 'report',
        start: { columns: [0], counts: [9] },
        counts: [4, 5, 3, 2, 3],
        drawsSinceNew: [5, 1, 2, 0, 8],
      },
    },
  ])('allocates nothing over 200,000 calls, with %j', async (timing) => {
    // A guard that allocated 8 bytes a call would leave 1,600,000.
    let sum = 0;
    const { collections, grown } = await garbageOf(async () => {
      const { stepping } = await import('./stepping.js');
      const run = stepping(timing);
      run(200_000);
      return () => () => {
        sum = run(200_000);
      };
    }, LITTLE);
    expect(collections).toBe(0);
    expect(grown).toBeLessThanOrEqual(LITTLE);
    expect(sum).toBeGreaterThan(0);
  });
});

it('what allocates one small object a call is found out, each time', async () => {
  const kept: object[] = [];
  let made = 0;
  const { collections, grown } = await garbageOf(async () => {
    const run = (calls: number): void => {
      for (let i = 0; i < calls; i++) kept[i & 7] = { number: made++ };
    };
    run(200_000);
    return () => () => run(200_000);
  }, LITTLE);
  expect(collections > 0 || grown > 1_600_000).toBe(true);
});
