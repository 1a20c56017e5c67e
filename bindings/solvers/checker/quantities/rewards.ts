import { InvalidModelError } from '../../../base/errors.js';
import {
  type ChainRewards,
  type Csr,
  lostInSum,
  type MdpMatrix,
  type MdpRewards,
  type Solution,
} from '../../kernel/index.js';
import type { Rewards } from '../../model/index.js';
import { withBounds } from '../reached.js';

/** The structure on which rewards are earned: states, each with some rows of transitions. */
export interface RewardedRows {
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  /** Default: one row per state. */
  readonly rowGroupStart?: Uint32Array;
}

/** A reward structure in the kernel's form, with a relative error of at most `error`. */
export interface Rounded<Form> {
  readonly rewards: Form;
  readonly error: number;
}

/**
 * Refuses a structure of the wrong size, and rewards that are negative, infinite or NaN.
 *
 * @throws InvalidModelError naming the structure and the state
 */
export function checkRewards(rewards: Rewards, { rowStart, columns, rowGroupStart }: RewardedRows): void {
  const rows = rowStart.length - 1;
  const stateOfRow = (row: number) => (rowGroupStart === undefined ? row : indexOf(rowGroupStart, row));
  const { states, choices, branches } = rewards;
  const size = rowGroupStart === undefined ? rows : rowGroupStart.length - 1;
  checkEntries(rewards, states, size, 'states', (s) => s);
  checkEntries(rewards, choices, rows, 'choices', stateOfRow);
  checkEntries(rewards, branches, columns.length, 'branches', (e) => stateOfRow(indexOf(rowStart, e)));
}

/** The rewards of states; 0 if the structure has none. @throws as `checkRewards` */
export function stateRewards(structure: Rewards, rows: RewardedRows): Float64Array {
  checkRewards(structure, rows);
  return structure.states ?? new Float64Array((rows.rowGroupStart ?? rows.rowStart).length - 1);
}

function checkEntries(
  { name }: Rewards,
  values: Float64Array | undefined,
  length: number,
  what: string,
  stateOf: (index: number) => number,
): void {
  if (values === undefined) return;
  const structure = name === '' ? 'the reward structure' : `reward structure "${name}"`;
  if (values.length !== length) {
    throw new InvalidModelError(
      `${structure} has ${values.length} rewards of ${what}, but the model has ${length} ${what}`,
    );
  }
  for (let i = 0; i < length; i++) {
    const value = values[i];
    if (value >= 0 && value < Number.POSITIVE_INFINITY) continue;
    const state = stateOf(i);
    const why = value < 0 ? 'negative rewards are not allowed' : 'rewards are finite numbers';
    throw new InvalidModelError(`${structure} evaluates to ${value} at state ${state}: ${why}`, { state });
  }
}

/** The group that `member` is in: the last that begins at or before it, and is not empty. */
function indexOf(starts: Uint32Array, member: number): number {
  let [low, high] = [0, starts.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle] <= member) low = middle;
    else high = middle;
  }
  return low;
}

/** Rewards of a chain as state rewards: each row belongs to a single state, which earns its reward. */
export function chainRewards({ states, choices, branches }: Rewards, rows: Csr): Rounded<ChainRewards> {
  const both = states === undefined ? choices : choices === undefined ? states : undefined;
  const { sums, error } = both ? { sums: both, error: 0 } : sumOf(states, choices);
  return {
    rewards: {
      ...(sums && { states: sums }),
      ...(branches && {
        transitions: { rowStart: rows.rowStart, columns: rows.columns, values: branches },
      }),
    },
    error,
  };
}

/** Sums entry by entry, with one rounding unless all sums are exact, as for whole numbers. */
function sumOf(
  left: Float64Array | undefined,
  right: Float64Array | undefined,
): { sums: Float64Array | undefined; error: number } {
  if (left === undefined || right === undefined) return { sums: undefined, error: 0 };
  const sums = new Float64Array(left.length);
  let exact = true;
  for (let i = 0; i < sums.length; i++) {
    if (lostInSum(left[i], right[i]) !== 0) exact = false;
    sums[i] = left[i] + right[i];
  }
  return { sums, error: exact ? 0 : Number.EPSILON };
}

/** Moves bounds outward by the effect of a relative `error` of rewards; expectations are linear in rewards. */
export function widened(solve: () => Solution, error: number): Solution {
  if (error === 0) return solve();
  const outward = error + 2 * Number.EPSILON;
  return withBounds(
    ({ lower, upper }) => ({
      lower: lower.map((value) => value * (1 - outward)),
      upper: upper.map((value) => value * (1 + outward)),
    }),
    solve,
  );
}

/** Rewards of a decision process: the mean reward of a row's branches is earned when the row is taken. */
export function decisionRewards(
  { states, choices, branches }: Rewards,
  matrix: MdpMatrix,
): Rounded<MdpRewards> {
  const own = { ...(states && { states }) };
  if (branches === undefined) return { rewards: { ...own, ...(choices && { rows: choices }) }, error: 0 };
  const { rowGroupStart, rowStart, columns, values } = matrix;
  const rows = new Float64Array(rowStart.length - 1);
  let error = 0;
  for (let s = 0; s + 1 < rowGroupStart.length; s++) {
    for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
      const [start, end] = [rowStart[row], rowStart[row + 1]];
      let [earned, exit, rest, staying] = [0, 0, 0, 0];
      for (let e = start; e < end; e++) {
        if (columns[e] === s) {
          staying = branches[e];
          continue;
        }
        const p = values[e];
        earned += p * branches[e];
        const sum = exit + p;
        rest += exit >= p ? exit - sum + p : p - sum + exit;
        exit = sum;
      }
      // The probability of staying is 1 minus the moves, whatever the entry; rows that exceed 1 are divided by their sum.
      const stay = Math.max(0, 1 - exit - rest);
      if (staying > 0 && stay > 0) {
        earned += stay * staying;
        error = Math.max(error, ((end - start) ** 2 * 2 ** -104) / stay);
      }
      rows[row] = earned / Math.max(1, exit + rest) + (choices?.[row] ?? 0);
      error = Math.max(error, (end - start + 12) * 2 ** -53);
    }
  }
  return { rewards: { ...own, rows }, error: 2 * error };
}
