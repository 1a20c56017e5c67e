import { expect } from 'vitest';
import { ForeguardError, NotConvergedError } from '../../bindings/errors.js';
import type { BitSet, Components, Kernel, KernelChain, Solution } from '../../bindings/kernel/index.js';
import {
  below,
  ENOUGH,
  garbageDouble,
  garbageOptions,
  garbageSet,
  pick,
  type Random,
  randomRows,
  spoilt,
} from './garbage.js';

/** Milliseconds that no call on a model of some tens of states may take, on any machine. */
const LONG = 10_000;

/** What a call gives, or undefined if it refuses its arguments as it should; anything else that it throws is a defect. */
export function attempt<T>(call: () => T): T | undefined {
  const start = performance.now();
  try {
    return call();
  } catch (error) {
    if (error instanceof NotConvergedError) expectBounds(error);
    else if (!(error instanceof ForeguardError) && error !== ENOUGH) throw error;
    return undefined;
  } finally {
    expect(performance.now() - start).toBeLessThan(LONG);
  }
}

/** Bounds of probabilities. */
export function expectBounds({ lower, upper }: Pick<Solution, 'lower' | 'upper'>): void {
  expect(lower.length).toBe(upper.length);
  for (const [s, bound] of lower.entries()) {
    if (!(0 <= bound && bound <= upper[s] && upper[s] <= 1))
      expect.fail(`state ${s} of ${lower.length} has bounds ${bound} and ${upper[s]}`);
  }
}

function expectSolution(solution: Solution, states: number): void {
  expect(solution.lower.length).toBe(states);
  if (solution.accuracy !== 'estimated') expectBounds(solution);
}

function expectSet(set: BitSet, states: number): void {
  expect(set.size).toBe(states);
  for (const s of set) expect(s).toBeLessThan(states);
}

function expectComponents({ count, componentOf }: Components, states: number): void {
  expect(componentOf.length).toBe(states);
  for (const component of componentOf) expect(component).toBeLessThan(count);
}

/** One random call on a chain that may have been freed. */
function callChain(random: Random, chain: KernelChain): void {
  const { states } = chain;
  const set = () => garbageSet(random, states);
  const found = <T>(call: () => T, check: (value: T, states: number) => void) => {
    const value = attempt(call);
    if (value !== undefined) check(value, states);
  };
  pick<() => void>(random, [
    () => found(() => chain.reachableFrom(set()), expectSet),
    () => found(() => chain.canReach(set(), set()), expectSet),
    () => found(() => chain.prob0(set(), set()), expectSet),
    () => found(() => chain.prob1(set(), set()), expectSet),
    () => found(() => chain.components(), expectComponents),
    () => found(() => chain.until(set(), set(), garbageOptions(random)), expectSolution),
    () => found(() => chain.until(set(), set(), garbageOptions(random)), expectSolution),
    () => found(() => chain.until(set(), set(), garbageOptions(random)), expectSolution),
    () =>
      found(() => chain.boundedUntil(set(), set(), steps(random), garbageOptions(random)), expectSolution),
    () => found(() => chain.next(set()), expectSolution),
    () => attempt(() => chain.free()),
  ])();
}

const steps = (random: Random) => pick(random, [0, 1, 2, 17, 17, garbageDouble(random)]);

/**
 * One round of random calls on random models, right and wrong, in random order, freed ones included. Frees all of them.
 */
export function fuzzRound(kernel: Kernel, random: Random): void {
  const handles: Disposable[] = [];
  const calls: (() => void)[] = [];
  const open = () => {
    const states = 1 + below(random, pick(random, [1, 4, 12, 70]));
    const chain = attempt(() => kernel.chain(spoilt(random, randomRows(random, states, states))));
    if (chain === undefined) return;
    handles.push(chain);
    calls.push(() => callChain(random, chain));
  };
  for (let call = 0; call < 16; call++) {
    if (calls.length === 0 || random() < 0.2) open();
    else pick(random, calls)();
  }
  for (const handle of handles) attempt(() => handle[Symbol.dispose]());
}
