import { InvalidArgumentError } from '../../base/errors.js';
import { checkArrays } from './arrays.js';
import type { ChainRewards } from './types/index.js';

/** Non-zero rewards lie between these limits, so that products with probabilities stay in the range of doubles. */
const SMALLEST_REWARD = 2 ** -500;
export const LARGEST_REWARD = 2 ** 500;

/** @throws InvalidArgumentError unless rewards are over `states` states, and each is 0 or within the limits above. */
export function checkRewards(rewards: ChainRewards, states: number): void {
  if (typeof rewards !== 'object' || rewards === null || ArrayBuffer.isView(rewards)) {
    throw new InvalidArgumentError(
      `the rewards are ${ArrayBuffer.isView(rewards) ? 'an array' : String(rewards)}: they are { states, transitions }, either of which may be left out`,
    );
  }
  const { states: stateRewards, transitions } = rewards;
  if (stateRewards !== undefined) checkWeights('states', stateRewards, states);
  if (transitions === undefined) return;
  const { rowStart, columns, values } = transitions;
  checkArrays({ rowStart, columns }, 'Uint32Array');
  checkArrays({ values }, 'Float64Array');
  if (rowStart.length !== states + 1 || columns.length !== values.length || rowStart[0] !== 0) {
    throw new InvalidArgumentError(
      `the rewards of moves have ${rowStart.length} row starts from ${rowStart[0]}, ${columns.length} columns and ${values.length} values: the chain has ${states} states, so there are ${states + 1} from 0, and as many columns as values`,
    );
  }
  for (let s = 0; s < states; s++) {
    const [start, end] = [rowStart[s], rowStart[s + 1]];
    if (end < start || end > columns.length || (s === states - 1 && end !== columns.length)) {
      throw new InvalidArgumentError(
        `the rewards of moves from ${s} are entries ${start} to ${end} of ${columns.length}: rows follow each other and end with the last entry`,
      );
    }
    for (let e = start; e < end; e++) {
      if (columns[e] >= states || (e > start && columns[e] <= columns[e - 1])) {
        throw new InvalidArgumentError(
          `the rewards of moves from ${s} have column ${columns[e]} at entry ${e}: columns ascend within a row and are below ${states}`,
        );
      }
      checkReward(values[e], () => `the reward of the move from ${s} to ${columns[e]}`);
    }
  }
}

/** @throws InvalidArgumentError unless `weights` holds, for each state (or row), 0 or a number within the limits above. */
export function checkWeights(name: string, weights: Float64Array, length: number, of = 'states'): void {
  checkArrays({ [name]: weights }, 'Float64Array');
  if (weights.length !== length) {
    throw new InvalidArgumentError(
      `${name} has ${weights.length} entries: it has one for each of the model's ${length} ${of}`,
    );
  }
  for (let i = 0; i < length; i++) checkReward(weights[i], () => `entry ${i} of ${name}`);
}

function checkReward(reward: number, which: () => string): void {
  if (reward === 0 || (reward >= SMALLEST_REWARD && reward <= LARGEST_REWARD)) return;
  throw new InvalidArgumentError(`${which()} is ${reward}: it is 0 or lies between 2^-500 and 2^500`);
}
