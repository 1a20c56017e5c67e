import { expect } from 'vitest';
import {
  BitSet,
  type Kernel,
  type KernelProduct,
  type LabelAutomaton,
} from '../../bindings/solvers/kernel/index.js';
import { attempt } from './fuzzLaws.js';
import {
  below,
  ENOUGH,
  garbageDouble,
  garbageIndex,
  garbageSet,
  pick,
  type Random,
  randomRows,
  spoilt,
} from './garbage.js';

const VARIABLES = 4;

/** An automaton whose nodes read later and later variables; up to two numbers of it are changed. */
function spoiltAutomaton(random: Random): LabelAutomaton {
  const states = 1 + below(random, 4);
  const nodes: number[] = [];
  const leaf = () => -1 - below(random, states);
  const count = below(random, 6);
  const reference = (from: number) =>
    from < count && random() < 0.5 ? from + below(random, count - from) : leaf();
  const variable = (n: number) => Math.floor((n * VARIABLES) / Math.max(1, count));
  for (let n = 0; n < count; n++) {
    let next = n + 1;
    while (next < count && variable(next) === variable(n)) next++;
    nodes.push(variable(n), reference(next), reference(next));
  }
  const perState = (below_: () => number) => Array.from({ length: states }, below_);
  const automaton = {
    states,
    roots: perState(() => reference(0)),
    nodes,
    bits: Array.from({ length: VARIABLES }, () => below(random, 64)),
    passes: perState(() => below(random, states)),
    absorbing: perState(() => (random() < 0.7 ? 0 : 1 + below(random, 2))),
  };
  for (let faults = below(random, 5) - 2; faults > 0; faults--) {
    const array = pick(random, [
      automaton.roots,
      nodes,
      automaton.bits,
      automaton.passes,
      automaton.absorbing,
    ]);
    array[below(random, array.length + 1)] = pick(random, [
      garbageDouble(random),
      garbageIndex(random, states),
      -7,
    ]);
  }
  return random() < 0.02 ? { ...automaton, states: garbageDouble(random) } : automaton;
}

/** A product of a spoilt chain, some of whose rows are empty, with one or two automata. */
export function openProduct(random: Random, kernel: Kernel, states: number): KernelProduct | undefined {
  const automata = Array.from({ length: 1 + below(random, 2) }, () => spoiltAutomaton(random));
  const controller = new AbortController();
  let reports = 0;
  const options = {
    withMatrix: random() < 0.5,
    signal: controller.signal,
    onProgress: () => {
      if (++reports > 20 || random() < 0.05) controller.abort(ENOUGH);
    },
    ...(random() < 0.2 && { maxStates: pick(random, [1, 5, garbageDouble(random)]) }),
  };
  const seeds = Array.from({ length: below(random, 3) + (random() < 0.05 ? 0 : 1) }, () => ({
    states: garbageSet(random, states),
    from: automata.flatMap(() =>
      random() < 0.05 ? [] : [random() < 0.05 ? garbageDouble(random) : below(random, 2)],
    ),
  }));
  const chain = {
    ...spoilt(random, randomRows(random, states, states)),
    words: random() < 0.05 ? garbageDouble(random) : 2,
    valuations: Uint32Array.from({ length: 2 * states }, () => random() * 2 ** 32),
    ...(random() < 0.3 && { unread: garbageSet(random, states) }),
    ...(random() < 0.3 && { absorbing: garbageSet(random, states) }),
  };
  return attempt(() => kernel.product(chain, automata, seeds, options));
}

/** One random call on a product that may have been freed. */
export function callProduct(random: Random, product: KernelProduct): void {
  pick<() => void>(random, [
    () => {
      const state = below(random, product.chainState.length);
      const parts = product.automatonState.map((states) => states[state]);
      const found = attempt(() => product.find(product.chainState[state], parts));
      if (found !== undefined) expect(found).toBe(state);
    },
    () => attempt(() => product.find(garbageDouble(random), [garbageDouble(random), garbageDouble(random)])),
    () => {
      const { chain } = product;
      const solution = attempt(() => chain.until(BitSet.full(chain.states), BitSet.of(chain.states, [0])));
      if (solution !== undefined) expect(solution.lower.length).toBe(product.chainState.length);
    },
    () => random() < 0.3 && attempt(() => product.free()),
  ])();
}
