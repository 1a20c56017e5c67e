import type { Bounds } from '../../base/bounds.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { checkWeights } from './chainRewards.js';
import type { MdpRewards } from './types/index.js';

/** @throws InvalidArgumentError unless each reward is 0 or within the limits of `checkRewards`. */
export function checkRowRewards(rewards: MdpRewards, states: number, rows: number): void {
  if (typeof rewards !== 'object' || rewards === null || ArrayBuffer.isView(rewards)) {
    throw new InvalidArgumentError(
      `the rewards are ${ArrayBuffer.isView(rewards) ? 'an array' : String(rewards)}: they are { states, rows }, either of which may be left out`,
    );
  }
  if (rewards.states !== undefined) checkWeights('rewards.states', rewards.states, states);
  if (rewards.rows !== undefined) checkWeights('rewards.rows', rewards.rows, rows, 'rows');
}

/** Bounds of the reward of each row: a sum of two rewards is rounded, within 2^-53 relative. */
export function rowRewards({ states, rows }: MdpRewards, groupStart: Uint32Array): Bounds {
  const lower = new Float64Array(groupStart[groupStart.length - 1]);
  const upper = new Float64Array(lower.length);
  for (let s = 0; s + 1 < groupStart.length; s++) {
    for (let row = groupStart[s]; row < groupStart[s + 1]; row++) {
      const [own, taken] = [states?.[s] ?? 0, rows?.[row] ?? 0];
      const error = own > 0 && taken > 0 ? 2 ** -51 : 0;
      lower[row] = (own + taken) * (1 - error);
      upper[row] = (own + taken) * (1 + error);
    }
  }
  return { lower, upper };
}
