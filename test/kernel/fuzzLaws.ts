import { expect } from 'vitest';
import { ForeguardError, NotConvergedError } from '../../bindings/base/errors.js';
import {
  type BitSet,
  type Components,
  NO_COMPONENT,
  type Solution,
} from '../../bindings/solvers/kernel/index.js';
import { processorTime } from '../processorTime.js';
import { ENOUGH } from './garbage.js';

/** Milliseconds of processor time that no call on a model of some tens of states may take, on any machine. */
const LONG = 10_000;

/**
 * What a call gives, or undefined if it refuses its arguments as it should; anything else that it throws is a defect. Bounds
 * that a solve had reached are bounds too, of values up to `most`.
 */
export function attempt<T>(call: () => T, most = 1): T | undefined {
  let result: T | undefined;
  const taken = processorTime(() => {
    try {
      result = call();
    } catch (error) {
      if (error instanceof NotConvergedError) expectBounds(error, most, ` in "${error.message}"`);
      else if (!(error instanceof ForeguardError) && error !== ENOUGH) throw error;
    }
  });
  expect(taken).toBeLessThan(LONG);
  return result;
}

/** Bounds of values from 0 to `most`. */
export function expectBounds({ lower, upper }: Pick<Solution, 'lower' | 'upper'>, most = 1, note = ''): void {
  expect(lower.length).toBe(upper.length);
  for (const [s, bound] of lower.entries()) {
    if (!(0 <= bound && bound <= upper[s] && upper[s] <= most))
      expect.fail(`state ${s} of ${lower.length} has bounds ${bound} and ${upper[s]}${note}`);
  }
}

export function expectSet(set: BitSet, states: number): void {
  expect(set.size).toBe(states);
  for (const s of set) expect(s).toBeLessThan(states);
}

export function expectComponents({ count, componentOf }: Components, states: number): void {
  expect(componentOf.length).toBe(states);
  for (const component of componentOf) {
    if (component !== NO_COMPONENT) expect(component).toBeLessThan(count);
  }
}

/** Calls of a model's handle whose results are checked. */
export function checkedCalls(states: number) {
  const found =
    <T>(check: (value: T, states: number) => void, most?: number) =>
    (call: () => T): void => {
      const value = attempt(call, most);
      if (value !== undefined) check(value, states);
    };
  const solution = (most: number, vectors = 1) =>
    found((value: Solution) => {
      expect(value.lower.length % states).toBe(0);
      expect(value.lower.length).toBeGreaterThanOrEqual(states * vectors);
      if (value.accuracy !== 'estimated') expectBounds(value, most);
    }, most);
  return {
    set: found(expectSet),
    components: found(expectComponents),
    probability: solution(1),
    /** Rewards, which may be infinite. */
    reward: solution(Number.POSITIVE_INFINITY),
  };
}
