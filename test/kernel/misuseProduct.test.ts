import { describe, expect, test } from 'vitest';
import { InvalidArgumentError, InvalidModelError } from '../../bindings/base/errors.js';
import {
  BitSet,
  type LabelAutomaton,
  type LabelledChain,
  type ProductOptions,
  type ProductSeeds,
} from '../../bindings/solvers/kernel/index.js';
import { backends } from './backends.js';
import { chainOf } from './chains.js';
import { thrown } from './thrown.js';

/** Four entries: 0 stays or goes to 1, 1 goes to 2, 2 stays. */
const chain: LabelledChain = {
  ...chainOf([
    [
      [0, 0.25],
      [1, 0.75],
    ],
    [[2, 1]],
    [[2, 1]],
  ]),
  words: 1,
  valuations: new Uint32Array(3),
};

/** Goes to its second state once bit 0 holds. */
const automaton: LabelAutomaton = { states: 2, roots: [0, -2], nodes: [0, -1, -2], bits: [0] };

const seed = (...from: number[]): ProductSeeds => ({ states: BitSet.of(3, [0]), from });

const untyped = (value: unknown) => value as never;

describe.each(backends)('%s', (_, kernel) => {
  const build = (
    part: Partial<LabelledChain> = {},
    automata: Partial<LabelAutomaton>[] = [{}],
    seeds: readonly ProductSeeds[] = [seed(...automata.map(() => 0))],
    options: ProductOptions = {},
  ) =>
    kernel.product(
      { ...chain, ...part },
      automata.map((change) => ({ ...automaton, ...change })),
      seeds,
      options,
    );

  test.each<[string, Partial<LabelledChain>, number | undefined, RegExp]>([
    ['a row sum', { values: Float64Array.of(0.25, 0.75, 0.9, 1) }, 1, /state 1 sum to 0\.9, not to 1/],
    ['a row sum beside a loop', { values: Float64Array.of(0.5, 0.75, 1, 1) }, 0, /state 0 sum to 1\.25/],
    ['NaN', { values: Float64Array.of(0.25, 0.75, Number.NaN, 1) }, 1, /state 1 moves to 2 with NaN/],
    ['a loop of NaN', { values: Float64Array.of(Number.NaN, 0.75, 1, 1) }, 0, /state 0 moves to 0 with NaN/],
    ['a negative loop', { values: Float64Array.of(-0.25, 0.75, 1, 1) }, 0, /state 0 moves to 0 with -0\.25/],
    [
      'a probability above 1',
      { values: Float64Array.of(0.25, 1.75, 1, 1) },
      0,
      /state 0 moves to 1 with 1\.75/,
    ],
    [
      'a probability of 0',
      { values: Float64Array.of(1, 0, 1, 1) },
      0,
      /state 0 moves to 1 with 0: .*leave out/,
    ],
    ['a column outside', { columns: Uint32Array.of(0, 1, 3, 2) }, 1, /state 1 has successor 3.*0 to 2/],
    ['a duplicate column', { columns: Uint32Array.of(1, 1, 2, 2) }, 0, /state 0 has successor 1 twice/],
    ['unsorted columns', { columns: Uint32Array.of(1, 0, 2, 2) }, 0, /state 0 has successor 0 after 1/],
    ['a column missing', { columns: Uint32Array.of(0, 1, 2) }, undefined, /3 columns but 4 values/],
    ['a late first row', { rowStart: Uint32Array.of(1, 2, 3, 4) }, 0, /rowStart goes from 1 to 2 at state 0/],
    ['descending rows', { rowStart: Uint32Array.of(0, 3, 2, 4) }, 1, /rowStart goes from 3 to 2 at state 1/],
    [
      'rows that end early',
      { rowStart: Uint32Array.of(0, 2, 3, 3) },
      2,
      /from 3 to 3 at state 2.*entries, 4/,
    ],
    [
      'rows past the end',
      { rowStart: Uint32Array.of(0, 4_000_000_000, 3, 4) },
      0,
      /to 4000000000 at state 0/,
    ],
    ['no row', { rowStart: Uint32Array.of(0) }, undefined, /at least one state/],
  ])('a chain with %s is refused, naming the state', (_name, part, state, message) => {
    const error = thrown(() => build(part));
    expect(error).toBeInstanceOf(InvalidModelError);
    expect(error.message).toMatch(message);
    expect(error).toHaveProperty('state', state);
  });

  test.each<[string, Partial<LabelledChain>, RegExp]>([
    ['too few valuations', { words: 2 }, /3 words of valuations for 3 states: each state has 2/],
    ['no words', { words: 0 }, /each state has 0 of them, at least 1/],
    ['half a word', { words: 0.5 }, /each state has 0\.5 of them/],
    ['NaN words', { words: Number.NaN }, /each state has NaN of them/],
    ['other valuations', { valuations: untyped(Int32Array.of(0, 0, 0)) }, /valuations is of type Int32Array/],
    ['other columns', { columns: untyped([0, 1, 2, 2]) }, /columns is of type Array: it is a Uint32Array/],
    ['a set of unread states over others', { unread: new BitSet(4) }, /unread is a set over 4 states.*has 3/],
    [
      'absorbing states that are no set',
      { absorbing: untyped([0]) },
      /absorbing is 0: it is a BitSet over 3/,
    ],
  ])('a chain with %s is refused', (_name, part, message) => {
    const error = thrown(() => build(part));
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error.message).toMatch(message);
  });

  test.each<[string, Partial<LabelAutomaton>, RegExp]>([
    ['roots missing', { roots: [0] }, /it has 2 states but 1 roots/],
    ['no state', { states: 0, roots: [] }, /it has 0 states/],
    ['NaN states', { states: Number.NaN }, /it has NaN states but 2 roots/],
    ['half a node', { nodes: [0, -1] }, /2 numbers are not triples/],
    ['a bit outside', { bits: [32] }, /variable 0 is bit 32.*0 to 31/],
    ['a negative bit', { bits: [-1] }, /variable 0 is bit -1/],
    ['a bit that is NaN', { bits: [Number.NaN] }, /variable 0 is bit NaN/],
    ['a leaf outside', { nodes: [0, -1, -3] }, /node 0 leads to -1 and -3/],
    ['a leaf that is NaN', { nodes: [0, Number.NaN, -1] }, /node 0 leads to NaN and -1/],
    ['a cycle', { nodes: [0, 0, -1] }, /node 0 leads to 0 and -1.*reads a later variable/],
    ['a node outside', { nodes: [0, 1, -1] }, /node 0 leads to 1 and -1/],
    ['a variable outside', { nodes: [1, -1, -1] }, /node 0 reads variable 1, which is none of 1/],
    ['a variable that is NaN', { nodes: [Number.NaN, -1, -1] }, /node 0 reads variable NaN/],
    ['a root outside', { roots: [0, 7] }, /the root of state 1 is 7/],
    ['a root that is NaN', { roots: [Number.NaN, -1] }, /the root of state 0 is NaN/],
    ['a state to pass to outside', { passes: [0, 2] }, /passes of state 1 is 2: expected a state, 0 to 1/],
    ['a state to pass to that is NaN', { passes: [Number.NaN, 0] }, /passes of state 0 is NaN/],
    ['states to pass to missing', { passes: [0] }, /passes has 1 entries for 2 states/],
    ['a fourth kind', { absorbing: [0, 3] }, /absorbing of state 1 is 3: expected 0, 1 or 2/],
    ['a kind that is NaN', { absorbing: [Number.NaN, 0] }, /absorbing of state 0 is NaN/],
    ['kinds missing', { absorbing: [0] }, /absorbing has 1 entries for 2 states/],
  ])('an automaton with %s is refused, naming the automaton', (_name, change, message) => {
    const error = thrown(() => build({}, [{}, change]));
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error.message).toMatch(/automaton 1 is malformed/);
    expect(error.message).toMatch(message);
  });

  test.each<[string, Partial<LabelAutomaton>[], ProductSeeds[], RegExp]>([
    ['no automaton', [], [seed()], /needs an automaton/],
    ['no seed', [{}], [], /needs a seed/],
    ['seeds in no state', [{}], [{ states: new BitSet(3), from: [0] }], /needs a seed/],
    ['seeds from no tuple', [{}], [seed()], /needs a seed/],
    [
      'seeds over other states',
      [{}],
      [{ states: new BitSet(2), from: [0] }],
      /set of seeds is a set over 2 states/,
    ],
    ['half a tuple', [{}, {}], [seed(0)], /seeds come from 1 automaton states: 2 for each tuple/],
    ['a seed outside', [{}, {}], [seed(0, 0), seed(0, 2)], /state 2 of automaton 1, which has states 0 to 1/],
    ['a negative seed', [{}], [seed(-1)], /state -1 of automaton 0/],
    ['a seed that is NaN', [{}], [seed(Number.NaN)], /state NaN of automaton 0/],
  ])('%s is refused', (_name, automata, seeds, message) => {
    const error = thrown(() => build({}, automata, seeds));
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error.message).toMatch(message);
  });

  test.each<[ProductOptions, RegExp]>([
    [{ maxStates: 0 }, /maxStates is 0/],
    [{ maxStates: -1 }, /maxStates is -1/],
    [{ maxStates: 1.5 }, /maxStates is 1\.5: it is a whole number/],
    [{ maxStates: Number.NaN }, /maxStates is NaN/],
    [{ onProgress: untyped(42) }, /onProgress is 42: it is a function/],
    [{ signal: untyped({}) }, /signal is .*: it is an AbortSignal/],
  ])('options %j are refused', (options, message) => {
    const error = thrown(() => build({}, [{}], [seed(0)], options));
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error.message).toMatch(message);
  });

  test('a product that was aborted before it began is not begun', () => {
    const reports: unknown[] = [];
    const options: ProductOptions = {
      signal: AbortSignal.abort(new Error('enough')),
      onProgress: (progress) => reports.push(progress),
    };
    expect(() => build({}, [{}], [seed(0)], options)).toThrow('enough');
    expect(reports).toEqual([]);
  });

  test('what is not in a product is not found, and tuples of another length are refused', () => {
    using product = build();
    expect(product.find(Number.NaN, [0])).toBe(-1);
    expect(product.find(0, [Number.NaN])).toBe(-1);
    expect(product.find(3, [0])).toBe(-1);
    const error = thrown(() => product.find(0, [0, 0]));
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error.message).toMatch(/2 automaton states: this product has 1 automata/);
  });

  test('a product is freed once, by itself or by its chain, and what was copied out of it stays', () => {
    for (const free of [
      (product: ReturnType<typeof build>) => product.free(),
      (product: ReturnType<typeof build>) => product[Symbol.dispose](),
      (product: ReturnType<typeof build>) => product.chain.free(),
    ]) {
      const product = build();
      free(product);
      expect(product.find(0, [0])).toBe(0);
      for (const use of [
        () => product.free(),
        () => product.chain.free(),
        () => product.chain.components(),
      ]) {
        const error = thrown(use);
        expect(error).toBeInstanceOf(InvalidArgumentError);
        expect(error.message).toMatch(/this chain was freed already/);
      }
    }
  });
});
