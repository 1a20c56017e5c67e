import type { Bounds } from '../../base/bounds.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { checkArrays } from './arrays.js';
import { BitSet } from './bitSet.js';
import { checkWeights, LARGEST_REWARD } from './chainRewards.js';
import type { StepInput } from './engine.js';
import { SMALLEST_PROBABILITY } from './invalidModel.js';
import type { BackOptions, Solution, StepOptions, WindowOptions } from './types/index.js';

/** Takes steps back on one kind of model, in one direction of optimisation. */
export type TakeSteps = (input: StepInput, steps: number, method: string, options: StepOptions) => Solution;

/** P(remain U[from,steps] target). `reaching` contains all states of `remain` from which `target` may be reached. */
export function boundedUntil(
  take: TakeSteps,
  { remain, target, reaching }: { remain: BitSet; target: BitSet; reaching: () => BitSet },
  steps: number,
  { from = 0, ...options }: WindowOptions,
): Solution {
  checkSteps('steps', steps);
  checkSteps('from', from);
  if (from > steps) throw new InvalidArgumentError(`the window from ${from} to ${steps} is empty`);
  if (from > 0 && options.everyStep) {
    throw new InvalidArgumentError(`values for every step are of windows that start at 0, not at ${from}`);
  }
  const active = reaching().difference(target);
  const open = take({ active, start: indicator(target) }, steps - from, 'bounded-until', options);
  if (from === 0) return open;
  const others = indicator(new BitSet(target.size));
  const shifted = take({ active: remain, start: open, others }, from, 'bounded-until', options);
  return { ...shifted, iterations: open.iterations + shifted.iterations };
}

export function next(take: TakeSteps, target: BitSet): Solution {
  return take({ active: BitSet.full(target.size), start: indicator(target) }, 1, 'next', {});
}

export function stepBack(
  take: TakeSteps,
  states: number,
  values: Bounds,
  steps: number,
  { active = BitSet.full(states), others, ...options }: BackOptions,
): Solution {
  checkSteps('steps', steps);
  const start = checkedBounds('values', values, states);
  const rest = others === undefined ? {} : { others: checkedBounds('others', others, states) };
  return take({ active, start, ...rest }, steps, 'steps', options);
}

/** Reward of the first `steps` steps, `gain` in each. */
export function cumulativeReward(
  take: TakeSteps,
  states: number,
  gain: Bounds,
  steps: number,
  options: StepOptions,
): Solution {
  checkSteps('steps', steps);
  const input = { active: BitSet.full(states), start: indicator(new BitSet(states)), gain };
  return take(input, steps, 'cumulative', options);
}

export function instantaneousReward(
  take: TakeSteps,
  states: number,
  rewards: Float64Array,
  steps: number,
  options: StepOptions,
): Solution {
  checkSteps('steps', steps);
  checkWeights('states', rewards, states);
  const input = { active: BitSet.full(states), start: { lower: rewards, upper: rewards } };
  return take(input, steps, 'instantaneous', options);
}

/** 1 in a set and 0 elsewhere. */
export function indicator(set: BitSet): Bounds {
  const values = Float64Array.from({ length: set.size }, (_, s) => (set.has(s) ? 1 : 0));
  return { lower: values, upper: values };
}

export function checkSteps(name: string, steps: number): void {
  if (Number.isSafeInteger(steps) && steps >= 0) return;
  throw new InvalidArgumentError(`${name} is ${steps}: it is a whole number, at least 0`);
}

/** Refuses bounds that cannot be computed with; widens tiny ones until products cannot underflow. */
function checkedBounds(name: string, { lower, upper }: Bounds, states: number): Bounds {
  checkArrays({ [`${name}.lower`]: lower, [`${name}.upper`]: upper }, 'Float64Array');
  if (lower.length !== states || upper.length !== states) {
    throw new InvalidArgumentError(
      `${name} have ${lower.length} lower and ${upper.length} upper bounds: one each for each of the model's ${states} states`,
    );
  }
  const wrong = lower.findIndex(
    (value, s) => !(0 <= value && value <= upper[s] && upper[s] <= LARGEST_REWARD),
  );
  if (wrong >= 0) {
    throw new InvalidArgumentError(
      `${name} of state ${wrong} lie between ${lower[wrong]} and ${upper[wrong]}: bounds ascend, from 0 on, up to 2^500`,
    );
  }
  return {
    lower: lower.map((value) => (value < SMALLEST_PROBABILITY ? 0 : value)),
    upper: upper.map((value) => (value > 0 ? Math.max(value, SMALLEST_PROBABILITY) : 0)),
  };
}
