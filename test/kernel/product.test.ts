import { describe, expect, test } from 'vitest';
import { KernelError } from '../../bindings/base/errors.js';
import {
  BitSet,
  type LabelAutomaton,
  type LabelledChain,
  type ProductOptions,
  type ProductSeeds,
} from '../../bindings/solvers/kernel/index.js';
import { kernelOf } from '../../bindings/solvers/kernel/registry.js';
import { WasmEngine } from '../../bindings/solvers/kernel/wasm/engine.js';
import { instantiateKernel } from '../../bindings/solvers/kernel/wasm/module.js';
import { expectBrackets } from '../oracle/brackets.js';
import { Rational } from '../oracle/rational.js';
import { backends } from './backends.js';
import { chainOf, die, randomChain, randomNumbers } from './chains.js';
import { guardedKernel } from './guardedKernel.js';
import { thrown } from './thrown.js';
import { wasmBytes } from './wasmBytes.js';

/** The die's chain; bit 0 holds in odd states. */
const tosses: LabelledChain = {
  ...die,
  words: 1,
  valuations: Uint32Array.from({ length: 13 }, (_, s) => s & 1),
};

/** Counts, up to `limit`, the states read in which bit 0 holds. */
function counter(limit: number): LabelAutomaton {
  const states = limit + 1;
  const counts = Array.from({ length: states }, (_, q) => q);
  return {
    states,
    roots: counts,
    nodes: counts.flatMap((q) => [0, -q - 1, -Math.min(limit, q + 1) - 1]),
    bits: [0],
  };
}

/** Goes round `states` states, whatever it reads. */
function clock(states: number): LabelAutomaton {
  const roots = Array.from({ length: states }, (_, q) => -((q + 1) % states) - 1);
  return { states, roots, nodes: [], bits: [] };
}

/** A chain of `states` states whose product with clocks is large. */
function labelled(states: number): LabelledChain {
  const matrix = randomChain(states, 3, 5);
  return { ...matrix, words: 1, valuations: new Uint32Array(states) };
}

const from = (state: number, states: number, ...tuple: number[]): ProductSeeds[] => [
  { states: BitSet.of(states, [state]), from: tuple },
];

describe.each(backends)('%s', (_, kernel) => {
  test('the probability to read three odd states of the die is 13/24', () => {
    using product = kernel.product(tosses, [counter(3)], from(0, 13, 0));
    const { states } = product.chain;
    const target = BitSet.where(states, (node) => product.automatonState[0][node] === 3);
    const { lower, upper } = product.chain.until(BitSet.full(states), target);
    // A number that is shown is read again and again. 1 leads to 3, from where 1 and 7 are the third, or with 1/4 in all to 9;
    // 2 leads to 11 with x = 1/4 + x/4.
    expect(product.find(0, [0])).toBe(0);
    expectBrackets({ lower: lower.slice(0, 1), upper: upper.slice(0, 1) }, [Rational.parse('13/24')]);
    expect(upper[0] - lower[0]).toBeLessThanOrEqual(2e-6);
  });

  test('only what the seeds lead to is built, and nothing follows an absorbing state', () => {
    const once = { ...counter(1), absorbing: [0, 1] };
    using product = kernel.product(tosses, [once], from(4, 13, 0), { withMatrix: true });
    expect([...product.chainState]).toEqual([4, 8, 9]);
    expect([...product.automatonState[0]]).toEqual([0, 0, 1]);
    expect(product.matrix).toEqual(
      chainOf([
        [
          [1, 0.5],
          [2, 0.5],
        ],
        [[1, 1]],
        [[2, 1]],
      ]),
    );
    expect([product.find(9, [1]), product.find(9, [0]), product.find(12, [0])]).toEqual([2, -1, -1]);
    expect(kernel.product(tosses, [once], from(4, 13, 0)).matrix).toBeNull();
  });

  test('a product absorbs once one automaton says 1, or all say 1 or 2', () => {
    const rounds: LabelledChain = { ...chainOf([[[0, 1]]]), words: 1, valuations: Uint32Array.of(1) };
    const last = (kinds: number[], other: number[]) => {
      using product = kernel.product(
        rounds,
        [
          { ...counter(3), absorbing: kinds },
          { ...clock(6), absorbing: other },
        ],
        from(0, 1, 0, 0),
      );
      return product.chain.states;
    };
    expect(last([0, 0, 0, 0], [0, 0, 0, 0, 0, 0])).toBe(8);
    expect(last([0, 0, 1, 0], [0, 0, 0, 0, 0, 0])).toBe(2);
    expect(last([0, 0, 2, 2], [0, 0, 0, 0, 0, 0])).toBe(8);
    expect(last([0, 0, 2, 2], [0, 0, 0, 0, 2, 0])).toBe(4);
    expect(last([0, 0, 2, 2], [0, 0, 0, 1, 2, 0])).toBe(3);
  });

  test('an empty row, an absorbing and an unread state are what they say', () => {
    const chain: LabelledChain = {
      rowStart: Uint32Array.of(0, 2, 2, 3),
      columns: Uint32Array.of(1, 2, 0),
      values: Float64Array.of(0.25, 0.75, 1),
      words: 1,
      valuations: Uint32Array.of(0, 1, 1),
      unread: BitSet.of(3, [2]),
      absorbing: BitSet.of(3, [2]),
    };
    using product = kernel.product(chain, [{ ...counter(2), passes: [2, 2, 0] }], from(0, 3, 0), {
      withMatrix: true,
    });
    expect([...product.chainState]).toEqual([0, 1, 2]);
    expect([...product.automatonState[0]]).toEqual([0, 1, 2]);
    expect([...(product.matrix?.columns ?? [])]).toEqual([1, 2, 1, 2]);
    expect([...(product.matrix?.values ?? [])]).toEqual([0.25, 0.75, 1, 1]);
  });

  test('a self-loop that the automaton leaves keeps what the other entries leave of 1', () => {
    const chain: LabelledChain = {
      ...chainOf([
        [
          [0, 0.75 + 4e-10],
          [1, 0.25],
        ],
        [[1, 1]],
      ]),
      words: 1,
      valuations: Uint32Array.of(1, 0),
    };
    using product = kernel.product(chain, [counter(2)], from(0, 2, 0));
    const target = BitSet.where(product.chain.states, (node) => product.chainState[node] === 0).intersection(
      BitSet.where(product.chain.states, (node) => product.automatonState[0][node] === 2),
    );
    const { lower, upper } = product.chain.until(BitSet.full(product.chain.states), target);
    expect(lower[product.find(0, [1])]).toBeLessThanOrEqual(0.75);
    expect(upper[product.find(0, [1])]).toBeLessThanOrEqual(0.75 + 1e-14);
  });

  test.each<[string, [number, number][], string]>([
    [
      'one is added where the other entries leave something',
      [
        [1, 0.7],
        [2, 0.2],
        [3, 0.1],
      ],
      '0',
    ],
    [
      'one that is given is corrected',
      [
        [0, 0.3],
        [1, 0.7],
      ],
      '0',
    ],
    [
      'one that is given is dropped where they leave nothing',
      [
        [0, 1e-10],
        [1, 0.5],
        [2, 0.5],
      ],
      'none',
    ],
    [
      'one that is given is dropped where they leave less than nothing',
      [
        [0, 1e-10],
        [1, 0.5 + 2 ** -50],
        [2, 0.5],
      ],
      'none',
    ],
  ])('a self-loop is what the other entries leave of 1, and read by automata: %s', (_name, row, loop) => {
    const absorbing = [1, 2, 3].map((s): [number, number][] => [[s, 1]]);
    const chain: LabelledChain = {
      ...chainOf([row, ...absorbing]),
      words: 1,
      valuations: Uint32Array.of(1, 0, 0, 0),
    };
    const others = row.filter(([t]) => t !== 0).map(([, p]) => Rational.fromDouble(p));
    const total = others.reduce((sum, p) => sum.plus(p), Rational.ZERO);
    const left = total.compare(1) < 0 ? Rational.ONE.minus(total) : Rational.ZERO;
    using own = kernel.chain(chain);
    expectBrackets(own.next(BitSet.of(4, [0])), [left, Rational.ZERO, Rational.ZERO, Rational.ZERO]);
    // Seen twice: by way of the loop.
    using product = kernel.product(chain, [counter(2)], from(0, 4, 0), { withMatrix: true });
    const twice = product.find(0, [2]);
    expect(twice < 0).toBe(loop === 'none');
    if (twice < 0) return;
    const { states } = product.chain;
    const { lower, upper } = product.chain.until(BitSet.full(states), BitSet.of(states, [twice]));
    const once = product.find(0, [1]);
    // One rounding of the entry.
    expect(left.times(Rational.fromDouble(1 - 2 ** -53)).compare(upper[once])).toBeLessThanOrEqual(0);
    expect(left.times(Rational.fromDouble(1 + 2 ** -52)).compare(lower[once])).toBeGreaterThanOrEqual(0);
    expect(upper[once] - lower[once]).toBeLessThanOrEqual(1e-12 * upper[once]);
    expect(product.matrix?.rowStart.at(-1)).toBe(product.chain.transitions);
  });

  test('a product that outgrows its first blocks has every clock beside every state, in order', () => {
    const states = 12;
    using product = kernel.product(labelled(states), [clock(61), clock(89)], from(0, states, 60, 88));
    const { chain, chainState, automatonState } = product;
    expect(chain.states).toBeGreaterThan(10_000);
    expect(product.find(0, [0, 0])).toBe(0);
    for (let node = 1; node < chain.states; node++) {
      const parts = [chainState, ...automatonState];
      const differences = parts.map((part) => part[node] - part[node - 1]);
      if (!((differences.find((difference) => difference !== 0) ?? 0) > 0))
        expect(differences).toBe('in order');
      if (node % 97 === 0)
        expect(
          product.find(
            chainState[node],
            parts.slice(1).map((part) => part[node]),
          ),
        ).toBe(node);
    }
    // From the last two states, which absorb, clocks go on: all 61 * 89 pairs are there.
    expect(chainState.filter((s) => s === states - 1)).toHaveLength(61 * 89);
  });

  test('a product above its limit is an error that says how many states were found', () => {
    using product = kernel.product(tosses, [counter(3)], from(0, 13, 0));
    const { states, transitions } = product.chain;
    const build = (maxStates: number) =>
      kernel.product(tosses, [counter(3)], from(0, 13, 0), { maxStates }).free();
    build(states);
    const error = thrown(() => build(states - 1));
    expect(error).toBeInstanceOf(KernelError);
    expect(error.message).toMatch(`maxStates = ${states - 1}`);
    expect(error.message).toMatch(`${states} states and ${transitions} transitions were found`);
    expect(error.message).toMatch(/needs \d+ bytes/);
  });

  test('progress is reported, and an aborted signal ends building with its reason', () => {
    const states = 8;
    const ring = chainOf(
      Array.from({ length: states }, (_, s): [number, number][] =>
        [1, 2, 3, 4].map((far): [number, number] => [(s + far) % states, 0.25]).sort(([a], [b]) => a - b),
      ),
    );
    const chain = { ...ring, words: 1, valuations: new Uint32Array(states) };
    const build = (options: ProductOptions) =>
      kernel.product(chain, [clock(61), clock(89)], from(0, states, 0, 0), options);
    const signal = AbortSignal.abort(new Error('enough'));
    expect(() => build({ signal })).toThrow('enough');

    const controller = new AbortController();
    const reports: number[] = [];
    const onProgress: ProductOptions['onProgress'] = ({ states, followed, transitions }) => {
      expect(followed).toBeLessThanOrEqual(states);
      expect(transitions).toBeGreaterThanOrEqual(followed);
      reports.push(transitions);
      if (reports.length === 2) controller.abort(new Error('later'));
    };
    expect(() => build({ onProgress, signal: controller.signal })).toThrow('later');
    expect(reports).toHaveLength(2);
    expect(reports[1]).toBeGreaterThan(reports[0]);
  });
});

describe('in WebAssembly', () => {
  test('what fails, is aborted or freed holds no memory', () => {
    const [[, kernel]] = backends;
    const round = (i: number) => {
      const chain = labelled(9 + (i % 5));
      const states = 9 + (i % 5);
      const automata = [clock(31), clock(1 + (i % 37))];
      if (i % 3 === 0)
        expect(() => kernel.product(chain, automata, from(0, states, 0, 0), { maxStates: 10 })).toThrow(
          KernelError,
        );
      if (i % 3 === 1)
        expect(() =>
          kernel.product(chain, automata, from(0, states, 0, 0), {
            onProgress: () => {
              throw new Error('stop');
            },
          }),
        ).toThrow('stop');
      kernel.product(chain, automata, from(0, states, 0, 0)).free();
    };
    for (let i = 0; i < 40; i++) round(i);
    const before = kernel.memoryBytes();
    for (let i = 0; i < 80; i++) round(i);
    expect(kernel.memoryBytes()).toBe(before);
  });

  test('a product stays within its blocks and gives them all back', () => {
    const { kernel, held } = guardedKernel(randomNumbers(7));
    const product = kernel.product(labelled(12), [clock(61), clock(41)], from(0, 12, 0, 0), {
      withMatrix: true,
    });
    using expected = backends[1][1].product(labelled(12), [clock(61), clock(41)], from(0, 12, 0, 0), {
      withMatrix: true,
    });
    expect(product.matrix).toEqual(expected.matrix);
    expect(product.automatonState).toEqual(expected.automatonState);
    product.free();
    expect(held()).toBe(0);
  });

  test('wherever memory ends, the error says how far the product came, and nothing stays behind', () => {
    const inner = instantiateKernel(wasmBytes());
    let budget = Number.POSITIVE_INFINITY;
    let held = 0;
    const exports = {
      ...inner,
      allocate: (bytes: number) => {
        if (budget-- <= 0) return 0;
        held++;
        return inner.allocate(bytes);
      },
      release: (block: number) => {
        held--;
        inner.release(block);
      },
    };
    const kernel = kernelOf(new WasmEngine(exports));
    const build = () => kernel.product(labelled(12), [clock(61)], from(0, 12, 0));
    const messages: string[] = [];
    for (let allocations = 0; ; allocations++) {
      budget = allocations;
      try {
        build().free();
        break;
      } catch (error) {
        expect(error).toBeInstanceOf(KernelError);
        messages.push((error as Error).message);
      }
      expect(held).toBe(0);
    }
    expect(held).toBe(0);
    expect(messages.length).toBeGreaterThanOrEqual(6);
    for (const message of messages) expect(message).toMatch(/needs \d+ bytes/);
    expect(
      messages.some((message) => /of which \d+ states and \d+ transitions are found/.test(message)),
    ).toBe(true);
    expect(messages.at(-1)).toMatch(/a product of \d+ states and \d+ transitions needs/);
  });
});
