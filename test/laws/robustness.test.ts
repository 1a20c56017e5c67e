import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Formula, parseFormula } from '../../bindings/languages/logic/index.js';
import {
  createRobustnessBaseline,
  RobustnessMonitor,
  robustness,
  robustnessSignal,
} from '../../bindings/study/robustness/index.js';
import { holds } from '../oracle/ltlf.js';
import { robustnessAt, type Sample } from '../oracle/robustness.js';
import { ruleFormula, uncountedFormula } from './formulas.js';

const place = { line: 1, column: 1, offset: 0 };

/** Comparisons with constants that are whole, or half where 0 is to have no say, so that nothing is rounded. */
const predicates = [
  { name: 'a', expression: 'x > 2', margin: ({ x }: Sample) => x - 2 },
  { name: 'b', expression: '3.5 >= y', margin: ({ y }: Sample) => 3.5 - y },
  { name: 'c', expression: 'x != 4', margin: ({ x }: Sample) => Math.abs(x - 4) },
];
const ranges = { x: [-8, 8], y: [-8, 8] } as const;
/** What `!=` between the whole x and 4 is: a truth where nothing is said, or the distance. */
const readings = ['whole', 'distance'] as const;
const options = { predicates, equality: 'distance' } as const;

const value = fc.integer({ min: -8, max: 8 });
const sample: fc.Arbitrary<Sample> = fc.record({ x: value, y: value });
const trace = (maxLength: number): fc.Arbitrary<Sample[]> => fc.array(sample, { minLength: 1, maxLength });
const formula: fc.Arbitrary<Formula> = fc.oneof({ weight: 4, arbitrary: uncountedFormula }, ruleFormula);

const steps = (samples: readonly Sample[]) => samples.map((state) => ({ state }));
const marginAs =
  (equality: (typeof readings)[number]) =>
  (part: Formula, at: Sample): number => {
    const name = part.kind === 'predicate' ? part.name : '';
    if (name === 'c' && equality === 'whole') return at.x === 4 ? -Infinity : Infinity;
    return predicates.find((predicate) => predicate.name === name)!.margin(at);
  };
/** -0 is 0. */
const plain = (number: number): number => number + 0;

describe('robustness', () => {
  it.each(readings)('is what the definition says, at every position: == as %s', (equality) => {
    const given = equality === 'whole' ? { predicates } : { predicates, equality };
    fc.assert(
      fc.property(formula, trace(12), (rule, samples) => {
        const margin = marginAs(equality);
        const expected = samples.map((_, i) => plain(robustnessAt(rule, samples, margin, i)));
        expect([...robustnessSignal(rule, steps(samples), given)]).toEqual(expected);
        const at = samples.length - 1;
        expect(robustness(rule, steps(samples), { ...given, at })).toBe(expected[at]);
      }),
      { numRuns: 600 },
    );
  });

  it.each([
    ['whole', 450],
    ['distance', 350],
  ] as const)(
    'is positive only where the formula is true, and negative only where it is false: == as %s',
    (equality, least) => {
      let decided = 0;
      fc.assert(
        fc.property(formula, trace(12), (rule, samples) => {
          const truth = holds(
            rule,
            samples.map((at) => ({ a: at.x > 2, b: 3.5 >= at.y, c: at.x !== 4 })),
          );
          const found = robustness(rule, steps(samples), { predicates, equality });
          if (found !== 0) {
            decided++;
            expect(found > 0).toBe(truth);
          }
        }),
        { numRuns: 600 },
      );
      expect(decided).toBeGreaterThan(least);
    },
  );

  it('changes by no more than any signal does', () => {
    let finite = 0;
    const change = fc.integer({ min: -3, max: 3 });
    const changed = fc.array(fc.tuple(sample, change, change), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(formula, changed, (rule, pairs) => {
        const before = robustness(rule, steps(pairs.map(([at]) => at)), options);
        const after = robustness(
          rule,
          steps(pairs.map(([{ x, y }, dx, dy]) => ({ x: x + dx, y: y + dy }))),
          options,
        );
        const largest = Math.max(...pairs.flatMap(([, dx, dy]) => [Math.abs(dx), Math.abs(dy)]));
        if (before === after) return;
        finite++;
        expect(Math.abs(after - before)).toBeLessThanOrEqual(largest);
      }),
      { numRuns: 600 },
    );
    expect(finite).toBeGreaterThan(50);
  });

  it('of the negation is the negative', () => {
    fc.assert(
      fc.property(formula, trace(12), (operand, samples) => {
        const negated = robustness({ kind: 'not', operand, place }, steps(samples), options);
        expect(negated).toBe(plain(-robustness(operand, steps(samples), options)));
      }),
      { numRuns: 500 },
    );
  });

  it('is the same of columns as of steps', () => {
    fc.assert(
      fc.property(formula, trace(12), (rule, samples) => {
        const columns = { x: samples.map(({ x }) => x), y: Float64Array.from(samples, ({ y }) => y) };
        expect(robustness(rule, columns, options)).toBe(robustness(rule, steps(samples), options));
      }),
      { numRuns: 200 },
    );
  });
});

describe('the bounds of a monitor', () => {
  for (const [known, equality] of [{}, { ranges }].flatMap((one) =>
    readings.map((reading) => [one, reading] as const),
  )) {
    const withRanges = 'ranges' in known ? 'with ranges' : 'without ranges';
    const options = equality === 'whole' ? { predicates } : { predicates, equality };
    it(`contain the robustness of every continuation and only close in, ${withRanges}, == as ${equality}`, () => {
      fc.assert(
        fc.property(formula, trace(14), (rule, samples) => {
          const monitor = new RobustnessMonitor(rule, { ...options, ...known });
          let [lower, upper] = [monitor.lower, monitor.upper];
          // Each prefix is a continuation of the shorter ones.
          const later = samples.map((_, i) => robustness(rule, steps(samples.slice(0, i + 1)), options));
          samples.forEach((state, i) => {
            monitor.step(state);
            expect(monitor.lower).toBeGreaterThanOrEqual(lower);
            expect(monitor.upper).toBeLessThanOrEqual(upper);
            ({ lower, upper } = monitor);
            const continued = later.slice(i);
            expect(Math.min(...continued)).toBeGreaterThanOrEqual(lower);
            expect(Math.max(...continued)).toBeLessThanOrEqual(upper);
          });
          expect(monitor.end().lower).toBe(later.at(-1));
          expect(monitor.upper).toBe(later.at(-1));
        }),
        { numRuns: 250 },
      );
    });
  }

  it('contain the robustness whatever an unknown signal was', () => {
    const guess = fc.tuple(sample, fc.boolean());
    fc.assert(
      fc.property(formula, fc.array(guess, { minLength: 1, maxLength: 12 }), (rule, guesses) => {
        const monitor = new RobustnessMonitor(rule, { ...options, ranges });
        for (const [state, isUnknown] of guesses)
          monitor.step(isUnknown ? { ...state, x: Number.NaN } : state);
        const found = robustness(rule, steps(guesses.map(([state]) => state)), options);
        expect(monitor.lower).toBeLessThanOrEqual(found);
        expect(monitor.upper).toBeGreaterThanOrEqual(found);
        monitor.end();
        expect(monitor.lower).toBeLessThanOrEqual(found);
        expect(monitor.upper).toBeGreaterThanOrEqual(found);
      }),
      { numRuns: 300 },
    );
  });

  it('are the same after a reset', () => {
    fc.assert(
      fc.property(formula, trace(8), trace(8), (rule, first, second) => {
        const used = new RobustnessMonitor(rule, options);
        for (const state of first) used.step(state);
        used.reset();
        const fresh = new RobustnessMonitor(rule, options);
        for (const state of second) {
          used.step(state);
          fresh.step(state);
          expect([used.lower, used.upper]).toEqual([fresh.lower, fresh.upper]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('are the offline value on long traces, whose old positions are dropped', () => {
    const rules = [
      'G ((x > 2) -> (F<=5 (y < 3)))',
      'G ((y < 3) -> (((x > -6) U[2,9] (y > 4)) | (H<=3 (x > -7))))',
      'G ((x > 6) -> ((O[3,20] (y < -5)) S (x < 7)))',
      'G ((x > 3) -> ((y > -7) S (x < -6)))',
      'G ((x > 7) -> ((O (y > 7)) & (H[2,5] (x > -8))))',
      'G ((x > 7) -> (O>=3 (y > 7)))',
      'G ((x > 3) -> ((F<=5 (y > 6)) S (x < -6)))',
      '(x < 9) U ((y > 8) | (G<=7 ((F<=3 (y > 5)) S (x < -6))))',
      '(F ((x < -7) & (G<=4 (y > -6)))) W[3,1000] (x > 7)',
      '(G ((x > 7) -> (F (y > 7)))) & (F[400,1200] (G[0,30] (x < 8)))',
    ].map((source) => parseFormula(source));
    let state = 7;
    const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
    const samples = Array.from({ length: 1500 }, () => ({
      x: ((next() >>> 8) % 17) - 8,
      y: ((next() >>> 8) % 17) - 8,
    }));
    for (const rule of rules) {
      const monitor = new RobustnessMonitor(rule);
      for (const at of samples) monitor.step(at);
      const found = robustness(rule, steps(samples));
      expect(monitor.lower).toBeLessThanOrEqual(found);
      expect(monitor.upper).toBeGreaterThanOrEqual(found);
      expect([monitor.end().lower, monitor.upper]).toEqual([found, found]);
    }
  });
});

describe('the baseline', () => {
  it('says the robustness of what was seen and planned, where nothing is forgotten', () => {
    fc.assert(
      fc.property(formula, trace(8), trace(4), (rule, seen, planned) => {
        for (const atEnd of ['strong', 'weak'] as const) {
          const baseline = createRobustnessBaseline(rule, {
            ...options,
            ranges,
            samplingPeriod: 1,
            horizonSeconds: 0,
            historySeconds: 20,
            threshold: 0,
            atEnd,
          });
          const found = seen.map((state) => baseline.step(state, planned)).at(-1)!;
          const monitor = new RobustnessMonitor(rule, { ...options, ranges });
          for (const state of [...seen, ...planned]) monitor.step(state);
          const bound = monitor.upper;
          const own = monitor.end().upper;
          expect(found.robustness).toBe(atEnd === 'strong' ? own : bound);
          expect(found.intervene).toBe(found.robustness < 0);
        }
      }),
      { numRuns: 200 },
    );
  });
});
