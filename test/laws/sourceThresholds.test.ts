import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitSet, build, check, parseModel, UndecidedError } from '../../bindings/index.js';
import { ExactChain } from '../oracle/chain.js';
import { max, Rational } from '../oracle/rational.js';
import { runs } from './runs.js';

const STATES = 4;
const ALL = BitSet.full(STATES);

/** A distribution over states, in fractions that are mostly no doubles. */
type Row = ReadonlyMap<number, Rational>;

const row: fc.Arbitrary<Row> = fc
  .tuple(
    fc.constantFrom(3, 7, 10, 1000),
    fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1, maxLength: 3 }),
    fc.infiniteStream(fc.integer({ min: 1, max: 400 })),
  )
  .map(([denominator, targets, weights]) => {
    const cuts = targets.slice(1).map(() => (weights.next().value as number) % (denominator + 1));
    const ends = [0, ...cuts.sort((a, b) => a - b), denominator];
    const shares = targets.map((t, i) => [
      t,
      new Rational(BigInt(ends[i + 1] - ends[i]), BigInt(denominator)),
    ]);
    return new Map((shares as [number, Rational][]).filter(([, share]) => share.compare(0) > 0));
  });

/** Per state its choices, one in a chain. */
type Choices = readonly (readonly Row[])[];

function instances(most: number): fc.Arbitrary<Choices> {
  return fc.array(fc.array(row, { minLength: 1, maxLength: most }), { minLength: STATES, maxLength: STATES });
}

/** Tenths and thousandths as decimals, others as quotients. */
function written(value: Rational): string {
  const decimals = [1n, 10n, 1000n].find((power) => power % value.denominator === 0n);
  if (decimals === undefined) return `${value.numerator}.0/${value.denominator}.0`;
  const digits = `${(value.numerator * decimals) / value.denominator}`.padStart(4, '0');
  const places = `${decimals}`.length - 1;
  return places === 0 ? `${BigInt(digits)}` : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function modelOf(choices: Choices): ReturnType<typeof build> {
  const commands = choices.flatMap((rows, s) =>
    rows.map((to) => {
      const updates = [...to].map(([t, share]) => `${written(share)}:(x'=${t})`);
      return `[] x=${s} -> ${updates.join(' + ')};`;
    }),
  );
  const type = choices.every(({ length }) => length === 1) ? 'dtmc' : 'mdp';
  return build(
    parseModel(`${type} module m x : [0..${STATES - 1}]; ${commands.join(' ')} endmodule init true endinit`),
  );
}

type Direction = 'min' | 'max';

/** P(remain U<=steps target), all in fractions: over every memoryless scheduler, or the best choice anew at each step. */
function until(
  choices: Choices,
  direction: Direction,
  remain: BitSet,
  target: BitSet,
  steps: number | null,
): Rational[] {
  const better = (a: Rational, b: Rational): Rational =>
    direction === 'max' ? max(a, b) : a.compare(b) <= 0 ? a : b;
  if (steps === null) {
    let schedulers: Row[][] = [[]];
    for (const rows of choices) schedulers = schedulers.flatMap((rest) => rows.map((to) => [...rest, to]));
    return schedulers
      .map((rows) => new ExactChain(rows).until(remain, target))
      .reduce((best, values) => best.map((value, s) => better(value, values[s])));
  }
  let values = choices.map((_, s) => (target.has(s) ? Rational.ONE : Rational.ZERO));
  for (let step = 0; step < steps; step++) {
    const before = values;
    const mean = (to: Row): Rational =>
      [...to].reduce((sum, [t, share]) => sum.plus(share.times(before[t])), Rational.ZERO);
    values = before.map((value, s) =>
      target.has(s) || !remain.has(s) ? value : choices[s].map(mean).reduce(better),
    );
  }
  return values;
}

const comparisons = {
  '<': (sign: number) => sign < 0,
  '<=': (sign: number) => sign <= 0,
  '>': (sign: number) => sign > 0,
  '>=': (sign: number) => sign >= 0,
} as const;
type Comparison = keyof typeof comparisons;

/** Whether all schedulers meet a threshold, by state. */
function meeting(
  choices: Choices,
  comparison: Comparison,
  threshold: Rational,
  remain: BitSet,
  target: BitSet,
  steps: number | null,
): BitSet {
  const direction = comparison.startsWith('<') ? 'max' : 'min';
  const values = until(choices, direction, remain, target, steps);
  return BitSet.where(STATES, (s) => comparisons[comparison](values[s].compare(threshold)));
}

/** Far below what bounds can tell apart, and nothing to fractions. */
const LITTLE = new Rational(1n, 10n ** 25n);

const threshold = (value: Rational): string => `(${value.numerator}.0/${value.denominator}.0)`;
const isProbability = (value: Rational): boolean => value.compare(0) >= 0 && value.compare(1) <= 0;

describe('thresholds at values that the source writes, just below and just above', () => {
  const question = fc.record({
    comparison: fc.constantFrom<Comparison>('<', '<=', '>', '>='),
    at: fc.nat(STATES - 1),
    off: fc.constantFrom(LITTLE, Rational.ZERO, Rational.ZERO.minus(LITTLE)),
    steps: fc.constantFrom(null, null, 1, 3),
  });

  it.each([
    ['chains', 1],
    ['decision processes', 2],
  ])('are decided as fractions decide them, nested twice too: %s', (_, most) => {
    const found = { decided: 0, undecided: 0 };
    fc.assert(
      fc.property(instances(most), question, question, question, (choices, ...questions) => {
        const model = modelOf(choices);
        let [remain, target] = [ALL, BitSet.of(STATES, [STATES - 1])];
        let text = `x=${STATES - 1}`;
        for (const { comparison, at, off, steps } of questions) {
          const direction = comparison.startsWith('<') ? 'max' : 'min';
          const value = until(choices, direction, remain, target, steps)[at].plus(off);
          if (!isProbability(value)) return;
          const inner = target;
          target = meeting(choices, comparison, value, remain, inner, steps);
          text = `P${comparison}${threshold(value)} [ F${steps === null ? '' : `<=${steps}`} (${text}) ]`;
          for (let s = 0; s < STATES; s++) {
            try {
              const result = check(model, `filter(state, ${text}, x=${s})`);
              expect(result.value, `${text} in ${s}`).toBe(target.has(s));
              found.decided++;
            } catch (error) {
              if (!(error instanceof UndecidedError)) throw error;
              found.undecided++;
            }
          }
        }
      }),
      { numRuns: runs(40) },
    );
    expect(found.decided).toBeGreaterThan(100);
    expect(found.undecided).toBe(0);
  });

  it('are inside of the bounds that are reported', () => {
    fc.assert(
      fc.property(
        instances(2),
        fc.constantFrom(null, 1, 3),
        fc.constantFrom(1e-6, 1e-14),
        (choices, steps, precision) => {
          const model = modelOf(choices);
          const target = BitSet.of(STATES, [STATES - 1]);
          for (const direction of ['min', 'max'] as const) {
            const values = until(choices, direction, ALL, target, steps);
            const asked = model.model.type === 'dtmc' ? 'P' : `P${direction}`;
            values.forEach((value, s) => {
              const result = check(
                model,
                `filter(state, ${asked}=? [ F${steps === null ? '' : `<=${steps}`} x=${STATES - 1} ], x=${s})`,
                { precision },
              );
              if (result.kind !== 'number') throw new TypeError('a probability is a number');
              expect(value.compare(result.lower)).toBeGreaterThanOrEqual(0);
              expect(value.compare(result.upper)).toBeLessThanOrEqual(0);
            });
          }
        },
      ),
      { numRuns: runs(40) },
    );
  });
});
