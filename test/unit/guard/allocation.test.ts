import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { createGuard, createGuardStep, type Guard, type GuardFile } from '../../../bindings/guard/index.js';
import { guardFile, never, response, ruleOf } from './guardFiles.js';

const rules = [
  ruleOf(never, [0.123, 0.456, 0.789, 0.321], { name: 'never', threshold: 0.7 }),
  ruleOf(response, [0.111, 0.222, 0.333, 0.444], { name: 'response' }),
].map((rule) => ({ ...rule, confidenceUpper: rule.upper.map((risk) => (risk === 1 ? 1 : risk * 1.1)) }));
const states = [
  { a: false, b: false },
  { a: true, b: false },
  { a: false, b: true },
  { a: false, b: false },
];
const context = { time: 1.5 };
const result = createGuardStep();

/** Sums in a local variable: one outside would allocate a number at every call. */
function run(guard: Guard, calls: number): number {
  let sum = 0;
  for (let i = 0; i < calls; i++) {
    context.time += 0.1;
    sum += guard.stepInto(states[i & 3], context, result).risk;
  }
  return sum;
}

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
  ])('collects no garbage over a million calls, with %j', async (timing) => {
    const guard = createGuard(guardFile(rules, timing));
    run(guard, 200_000);
    // What other work left behind may be collected at any time, so the best of a few attempts counts: a guard that
    // allocated 8 bytes a call would fill the young generation in every one of them.
    let sum = 0;
    let collections = Number.POSITIVE_INFINITY;
    let grown = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 5 && (collections > 0 || grown > 100_000); attempt++) {
      const observed: PerformanceEntry[] = [];
      const observer = new PerformanceObserver((entries) => observed.push(...entries.getEntries()));
      observer.observe({ entryTypes: ['gc'] });
      const before = getHeapStatistics().used_heap_size;
      const start = performance.now();
      sum = run(guard, 1_000_000);
      const end = performance.now();
      grown = getHeapStatistics().used_heap_size - before;
      await new Promise((resolve) => setTimeout(resolve, 20));
      observer.disconnect();
      collections = observed.filter(({ startTime }) => startTime >= start && startTime <= end).length;
    }
    expect(collections).toBe(0);
    expect(grown).toBeLessThanOrEqual(100_000);
    expect(sum).toBeGreaterThan(0);
  });
});
