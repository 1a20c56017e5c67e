import type { Bounds } from '../../base/bounds.js';
import { type Automaton, OPEN } from '../../languages/automaton/index.js';
import { toBase64 } from './base64.js';
import { packBounds } from './boundsWord.js';
import type { PackedTables } from './guardFile.js';

/** Bounds at entry `s * automaton.states + q`, of chain state s and automaton state q. */
export type DenseBounds = Bounds<ArrayLike<number>>;

/** The tables that a guard looks up for a rule, at every pair of states. */
export interface DenseTables extends DenseBounds {
  readonly confidenceUpper?: ArrayLike<number>;
  readonly least?: DenseBounds;
  readonly most?: DenseBounds;
  readonly horizons?: Readonly<
    Record<string, DenseBounds & { readonly confidenceUpper?: ArrayLike<number> }>
  >;
}

/**
 * Packs a rule's tables as in a guard file: with entries only for pairs that a run can be in while the rule is undecided, and bounds rounded outward to six
 * digits.
 *
 * @param isReached whether a run can be in an entry
 * @param states number of chain states
 */
export function packTables(
  { states: columns, verdict }: Automaton,
  states: number,
  isReached: (entry: number) => boolean,
  tables: DenseTables,
): PackedTables {
  const groups: number[][] = [];
  const groupOf: number[] = [];
  const numbers = new Map<string, number>();
  const kept: number[] = [];
  for (let s = 0; s < states; s++) {
    const runs: number[] = [];
    let after = -1;
    for (let q = 0; q < columns; q++) {
      if (verdict[q] !== OPEN || !isReached(s * columns + q)) continue;
      kept.push(s * columns + q);
      if (q === after) runs[runs.length - 1]++;
      else runs.push(q, 1);
      after = q + 1;
    }
    const key = runs.join();
    const group = numbers.get(key) ?? groups.push(runs) - 1;
    numbers.set(key, group);
    groupOf.push(group);
  }
  const pack = ({ lower, upper }: DenseBounds): string =>
    toBase64(
      new Uint8Array(Uint32Array.from(kept, (entry) => packBounds(lower[entry], upper[entry])).buffer),
    );
  const packUpper = (upper: ArrayLike<number>): string =>
    toBase64(new Uint8Array(Uint32Array.from(kept, (entry) => packBounds(0, upper[entry])).buffer));
  const { confidenceUpper, least, most, horizons } = tables;
  return {
    groups,
    groupOf,
    risk: pack(tables),
    ...(confidenceUpper && { confidenceUpper: packUpper(confidenceUpper) }),
    ...(least && {
      least: {
        bounds: pack(least),
        upper: toBase64(new Uint8Array(Float64Array.from(kept, (entry) => least.upper[entry]).buffer)),
      },
    }),
    ...(most && { most: pack(most) }),
    ...(horizons && {
      horizons: Object.fromEntries(
        Object.entries(horizons).map(([steps, bounds]) => [
          steps,
          {
            risk: pack(bounds),
            ...(bounds.confidenceUpper && { confidenceUpper: packUpper(bounds.confidenceUpper) }),
          },
        ]),
      ),
    }),
  };
}
