import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../bindings/base/errors.js';
import { Counter } from '../../bindings/estimation/learning/index.js';
import { overFlags, randomTraces, stateNames } from '../unit/learning/flagTraces.js';
import { countNaively } from '../unit/learning/naiveCounts.js';

const constraints = fc.constantFrom(
  {},
  { state: '!(p0 && p1 && p2)' },
  { transition: '!(from.p0 && to.p1) || from.p2' },
  { end: '!p0' },
  { state: 'p0 || !p1', transition: 'from.p2 == to.p2 || to.p0', end: 'p2 || !p0' },
);

const options = fc.record({
  smoothing: fc.oneof(fc.constantFrom(0, 1, 1e-9, 1e-100), fc.double({ min: 1e-100, max: 10, noNaN: true })),
  states: fc.constantFrom('observed' as const, 'valid' as const),
  onContradiction: fc.constantFrom('accept' as const, 'dropTrace' as const),
});

describe('every learnt chain', () => {
  it('has rows that sum to 1, or are unknown', () => {
    let rows = 0;
    fc.assert(
      fc.property(randomTraces(3), constraints, options, (traces, given, settings) => {
        const counter = new Counter(overFlags(3, given), settings);
        for (const one of traces) counter.add(one);
        try {
          counter.finish();
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidDataError);
          return;
        }
        const { model } = counter.finish();
        for (let s = 0; s < model.states; s++) {
          const values = model.values.subarray(model.rowStart[s], model.rowStart[s + 1]);
          expect(values.length === 0).toBe(model.unknown?.has(s) ?? false);
          if (values.length === 0) continue;
          const sum = values.reduce((total, value) => total + value, 0);
          expect(Math.abs(sum - 1)).toBeLessThanOrEqual((values.length + 1) * Number.EPSILON);
          rows++;
        }
      }),
      { numRuns: 300 },
    );
    expect(rows).toBeGreaterThan(500);
  });

  it('gives each valid successor (count + alpha) / (draws + successors * alpha), exactly rounded', () => {
    const alphas = fc.constantFrom(0, 1, 2, 7, 0.5, 0.125);
    fc.assert(
      fc.property(randomTraces(3, 1), constraints, alphas, (traces, given, smoothing) => {
        const abstraction = overFlags(3, given);
        const counter = new Counter(abstraction, { smoothing, onContradiction: 'accept' });
        for (const one of traces) counter.add(one);
        const { model } = counter.finish();
        const naive = countNaively(traces, 3);
        const names = stateNames(model);
        const packed = new Map(
          naive.sources
            .slice(1)
            .map((name) => [name, Uint32Array.of(Number.parseInt([...name].reverse().join(''), 2))]),
        );
        const isValid = (from: string, to: string): boolean =>
          naive.rows.get(from)!.has(to) ||
          (to === 'end'
            ? abstraction.validEnd(packed.get(from)!)
            : abstraction.validState(packed.get(to)!) &&
              abstraction.validTransition(packed.get(from)!, 0, packed.get(to)!, 0));
        naive.sources.slice(1).forEach((from, c) => {
          const row = naive.rows.get(from)!;
          const draws = [...row.values()].reduce((sum, { count }) => sum + count, 0);
          const valid = [...naive.sources.slice(1), 'end'].filter((to) => isValid(from, to));
          const expected: Record<string, number> = {};
          for (const to of valid) {
            // In eighths, so that numerator and denominator are whole numbers and the quotient is rounded once.
            const numerator = 8 * ((row.get(to)?.count ?? 0) + smoothing);
            if (numerator > 0) expected[to] = numerator / (8 * (draws + valid.length * smoothing));
          }
          const found: Record<string, number> = {};
          for (let i = model.rowStart[c + 1]; i < model.rowStart[c + 2]; i++) {
            found[names[model.columns[i]]] = model.values[i];
          }
          expect(found).toEqual(expected);
        });
      }),
      { numRuns: 200 },
    );
  });
});
