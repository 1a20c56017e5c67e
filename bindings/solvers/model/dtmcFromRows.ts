import { InvalidModelError } from '../../base/errors.js';
import { BitSet } from '../kernel/index.js';
import { createDtmc, type DtmcParts } from './createDtmc.js';
import type { Dtmc } from './dtmc.js';

/** One transition of a row: target state and probability. */
export type Transition = readonly [target: number, probability: number];

/** Optional parts of a chain, beside its rows. */
export interface RowsOptions
  extends Pick<DtmcParts, 'valuations' | 'rewards' | 'annotations' | 'parameters'> {
  /** Default `[0]`. */
  readonly initial?: readonly number[];
  /** Members of each label. Default: no labels. */
  readonly labels?: Readonly<Record<string, Iterable<number>>>;
}

/**
 * Makes a chain from one list of `[target, probability]` per state, in any order within a row. `null` instead of a list marks a
 * state of unknown behaviour. Branch rewards and annotations are in the order of the rows sorted by target.
 *
 * @example
 * // Toss a fair coin until it shows heads. dtmcFromRows([[[0, 0.5], [1, 0.5]], [[1, 1]]], { labels: { heads: [1] } });
 * @throws InvalidModelError as `createDtmc` does
 */
export function dtmcFromRows(
  rows: readonly (readonly Transition[] | null)[],
  options: RowsOptions = {},
): Dtmc {
  const { initial = [0], labels = {}, ...rest } = options;
  const rowStart = new Uint32Array(rows.length + 1);
  const sorted = rows.map((row) => [...(row ?? [])].sort(([a], [b]) => a - b));
  sorted.forEach((row, state) => {
    rowStart[state + 1] = rowStart[state] + row.length;
    const outside = row.find(([target]) => !isState(target, rows.length));
    if (outside) throw stateError(`state ${state}: its transition`, outside[0], rows.length);
  });
  const entries = sorted.flat();
  const members = Object.entries(labels).map(([name, states]): [string, BitSet] => {
    const list = [...states];
    const outside = list.find((state) => !isState(state, rows.length));
    if (outside !== undefined) throw stateError(`label "${name}"`, outside, rows.length);
    return [name, BitSet.of(rows.length, list)];
  });
  return createDtmc({
    rowStart,
    columns: Uint32Array.from(entries, ([target]) => target),
    values: Float64Array.from(entries, ([, probability]) => probability),
    initial: [...initial],
    labels: new Map(members),
    ...(rows.includes(null) && { unknown: BitSet.where(rows.length, (state) => rows[state] === null) }),
    ...rest,
  });
}

function isState(state: number, states: number): boolean {
  return Number.isInteger(state) && state >= 0 && state < states;
}

function stateError(what: string, found: number, states: number): InvalidModelError {
  return new InvalidModelError(`${what} names state ${found}, but the states are 0..${states - 1}`);
}
