import fc from 'fast-check';
import { BitSet, type IntervalCsr, type IntervalMdpMatrix } from '../../bindings/solvers/kernel/index.js';

/** One row: successors with bounds and the centre between them, and the ball's radius. */
export interface IntervalRow {
  readonly entries: readonly { column: number; lower: number; upper: number; centre: number }[];
  readonly radius: number;
}

export function intervalsOf(rows: readonly IntervalRow[], balls: boolean): IntervalCsr {
  const rowStart = new Uint32Array(rows.length + 1);
  for (const [r, { entries }] of rows.entries()) rowStart[r + 1] = rowStart[r] + entries.length;
  const entries = rows.flatMap((row) => row.entries);
  const column = (name: 'lower' | 'upper' | 'centre') => Float64Array.from(entries, (entry) => entry[name]);
  return {
    rowStart,
    columns: Uint32Array.from(entries, (entry) => entry.column),
    lower: column('lower'),
    upper: column('upper'),
    ...(balls ? { centre: column('centre'), radius: Float64Array.from(rows, ({ radius }) => radius) } : {}),
  };
}

/**
 * Rows around a distribution of sixteenths or, if they may `leak`, of arbitrary weights, with bounds that coincide, that are
 * wide, that touch 0 and 1, and radii from 0 to infinite. Rows that leak may lead somewhere with at most 1e-9, or what rounding
 * leaves: no number of sweeps may be enough for them.
 */
export function arbitraryRow(states: number, most: number, leak = true): fc.Arbitrary<IntervalRow> {
  const width = fc.constantFrom<number[]>(0, 0, 1 / 16, 1 / 4, 1, leak ? 1e-9 : 1 / 8, 0.3);
  const exact = fc.integer({ min: 1, max: Math.min(most, states) }).chain((size) =>
    fc.record({
      columns: fc.shuffledSubarray(
        Array.from({ length: states }, (_, s) => s),
        { minLength: size, maxLength: size },
      ),
      weights: fc.array(fc.integer({ min: 0, max: size > 4 ? 2 : 5 }), { minLength: size, maxLength: size }),
      sixteenths: leak ? fc.boolean() : fc.constant(true),
      below: fc.array(width, { minLength: size, maxLength: size }),
      above: fc.array(width, { minLength: size, maxLength: size }),
      radius: fc.constantFrom<number[]>(0, 1 / 16, 1 / 8, 0.3, 1, Number.POSITIVE_INFINITY),
    }),
  );
  return exact.map(({ columns, weights, sixteenths, below, above, radius }) => {
    const shares = weights.slice();
    if (sixteenths) {
      // The first takes what the others leave of 16, so that sums are exact.
      shares[0] = 16 - shares.slice(1).reduce((total, share) => total + share, 0);
    } else if (!shares.some((share) => share > 0)) shares[0] = 1;
    const total = shares.reduce((a, b) => a + b, 0);
    const entries = shares
      .map((share, i) => {
        const centre = share / total;
        return {
          column: columns[i],
          lower: Math.max(0, centre - below[i]),
          upper: Math.min(1, centre + above[i]),
          centre,
        };
      })
      .filter(({ upper }) => upper > 0)
      .sort((a, b) => a.column - b.column);
    return { entries, radius };
  });
}

export interface IntervalProblem {
  readonly matrix: IntervalMdpMatrix;
  readonly remain: BitSet;
  readonly target: BitSet;
}

/** A model of up to `states` states with up to `rows` rows each, and sets for `remain U target`. */
export function arbitraryIntervals(limits: {
  states: number;
  rows: number;
  successors: number;
  leak?: boolean;
}): fc.Arbitrary<IntervalProblem> {
  return fc.integer({ min: 2, max: limits.states }).chain((states) =>
    fc
      .record({
        groups: fc.array(
          fc.array(arbitraryRow(states, limits.successors, limits.leak), {
            minLength: 1,
            maxLength: limits.rows,
          }),
          { minLength: states, maxLength: states },
        ),
        balls: fc.boolean(),
        target: fc.nat(states - 1),
        forbidden: fc.option(fc.nat(states - 1)),
      })
      .map(({ groups, balls, target, forbidden }) => {
        const rowGroupStart = new Uint32Array(states + 1);
        for (const [s, rows] of groups.entries()) rowGroupStart[s + 1] = rowGroupStart[s] + rows.length;
        return {
          matrix: { ...intervalsOf(groups.flat(), balls), rowGroupStart },
          remain: BitSet.where(states, (s) => s !== forbidden),
          target: BitSet.of(states, [target]),
        };
      }),
  );
}
