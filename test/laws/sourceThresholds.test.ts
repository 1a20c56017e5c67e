import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitSet, build, check, parseModel } from '../../bindings/face/entries/check.js';
import { UndecidedError } from '../../bindings/face/entries/index.js';
import { ExactChain } from '../oracle/chain.js';
import { verticesOf } from '../oracle/intervals.js';
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
      { numRuns: runs(25) },
    );
    expect(found.decided).toBeGreaterThan(25);
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
      { numRuns: runs(25) },
    );
  });
});

describe('thresholds on intervals of decimals', () => {
  const tenths = (count: number): Rational => new Rational(BigInt(count), 10n);
  /** Per state bounds of its probabilities, in tenths, that leave nature some room; those of the last state do not. */
  const intervals = fc
    .array(
      fc.record({
        first: fc.integer({ min: 2, max: 8 }),
        room: fc.nat(2),
        to: fc.shuffledSubarray([0, 1, 2, 3]),
      }),
      {
        minLength: STATES - 1,
        maxLength: STATES - 1,
      },
    )
    .map((rows) =>
      rows.map(({ first, room, to: [left = 0, right = 3] }) =>
        [
          [left, first],
          [right === left ? 3 - left : right, 10 - first],
        ].map(([t, share]) => ({ t, lower: Math.max(1, share - room), upper: Math.min(9, share + room) })),
      ),
    );

  it('are decided rightly or left open, and decided off the value', () => {
    const found = { decided: 0, undecided: 0 };
    const nearby = new Rational(1n, 10n ** 9n);
    fc.assert(
      fc.property(
        intervals,
        fc.constantFrom<Comparison>('<', '<=', '>', '>='),
        fc.constantFrom(nearby, Rational.ZERO, Rational.ZERO.minus(nearby)),
        fc.constantFrom(null, 2),
        (rows, comparison, off, steps) => {
          const commands = rows.map((entries, s) => {
            const updates = entries.map(
              ({ t, lower, upper }) => `[${written(tenths(lower))},${written(tenths(upper))}]:(x'=${t})`,
            );
            return `[] x=${s} -> ${updates.join(' + ')};`;
          });
          const last = STATES - 1;
          const model = build(
            parseModel(
              `dtmc module m x : [0..${last}]; ${commands.join(' ')} [] x=${last} -> true; endmodule init true endinit`,
            ),
          );
          const choices = [
            ...rows.map((entries) => {
              const lower = entries.map((entry) => tenths(entry.lower));
              const upper = entries.map((entry) => tenths(entry.upper));
              const columns = entries.map(({ t }) => t);
              return verticesOf({ columns, lower, upper, centre: lower, radius: undefined }).map(
                (vertex) => new Map(vertex.map((share, i) => [columns[i], share])),
              );
            }),
            [new Map([[last, Rational.ONE]])],
          ];
          const direction = comparison.startsWith('<') ? 'max' : 'min';
          const target = BitSet.of(STATES, [last]);
          const value = until(choices, direction, ALL, target, steps)[0].plus(off);
          if (!isProbability(value)) return;
          const holds = meeting(choices, comparison, value, ALL, target, steps);
          const text = `P${comparison}${threshold(value)} [ F${steps === null ? '' : `<=${steps}`} x=${last} ]`;
          for (let s = 0; s < STATES; s++) {
            try {
              expect(check(model, `filter(state, ${text}, x=${s})`).value, text).toBe(holds.has(s));
              found.decided++;
            } catch (error) {
              if (!(error instanceof UndecidedError) || (s === 0 && off !== Rational.ZERO)) throw error;
              found.undecided++;
            }
          }
        },
      ),
      { numRuns: runs(25) },
    );
    expect(found.decided).toBeGreaterThan(2 * found.undecided);
  });
});
