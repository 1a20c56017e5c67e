import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { BitSet, type Csr, type Kernel } from '../../bindings/solvers/kernel/index.js';
import { kernelOf } from '../../bindings/solvers/kernel/registry.js';
import { WasmEngine } from '../../bindings/solvers/kernel/wasm/engine.js';
import { instantiateKernel } from '../../bindings/solvers/kernel/wasm/module.js';
import { backends } from './backends.js';
import { haddadMonmege, randomChain, randomNumbers } from './chains.js';
import { fuzzRound } from './fuzz.js';
import { attempt } from './fuzzLaws.js';
import { guardedKernel } from './guardedKernel.js';
import { NOT_CALLED, rawRound } from './rawFuzz.js';
import { recorded } from './recorded.js';
import { scalarWasmBytes, wasmBytes } from './wasmBytes.js';

/** scripts/fuzz.mjs sets these: how long, from which seed, and where the seed of the round under way is noted. */
const { FUZZ_SECONDS, FUZZ_SEED = '1', FUZZ_JOURNAL } = process.env;
/** Without a time set, the same rounds in each run, however fast the machine is. */
const seconds = Number(FUZZ_SECONDS ?? 0);

/** Runs rounds with seeds of their own until the time is over, at least `atLeast`; returns how many. */
function rounds(
  atLeast: number,
  round: (random: () => number, seed: number) => void,
  time = seconds,
): number {
  const end = performance.now() + 1000 * time;
  let done = 0;
  for (; done < atLeast || performance.now() < end; done++) {
    const seed = Number(FUZZ_SEED) + done;
    if (FUZZ_JOURNAL) writeFileSync(FUZZ_JOURNAL, `seed ${seed} of "${expect.getState().currentTestName}"`);
    try {
      round(randomNumbers(seed), seed);
    } catch (cause) {
      throw new Error(`FUZZ_SEED=${seed} repeats this`, { cause });
    }
  }
  return done;
}

/** Calls that random models rarely lead to: large components, slow ones, ones that fill up when eliminated. */
function hardRound(kernel: Kernel): void {
  for (const matrix of [haddadMonmege(400), randomChain(700, 4, 3)]) {
    const states = matrix.rowStart.length - 1;
    const [everywhere, target] = [
      BitSet.full(states),
      BitSet.of(states, [matrix.columns[0] === 0 ? 0 : states - 1]),
    ];
    using chain = kernel.chain(matrix);
    for (const method of ['auto', 'elimination', 'interval-iteration', 'value-iteration'] as const) {
      attempt(() => chain.until(everywhere, target, { method, maxIterations: 40 }));
    }
    using solver = chain.openSolver(everywhere, target);
    const row = {
      rowStart: Uint32Array.of(0, 2),
      columns: Uint32Array.of(299, 301),
      values: Float64Array.of(0.5, 0.5),
    };
    solver.replaceRows({ ...row, rows: Uint32Array.of(300) });
  }
  slowMdp(kernel, haddadMonmege(60));
}

/** Decision processes that take policies and many guesses, with the choice of the same row twice. */
function slowMdp(kernel: Kernel, matrix: Csr): void {
  const states = matrix.rowStart.length - 1;
  const entries = (s: number) => [matrix.rowStart[s], matrix.rowStart[s + 1]] as const;
  const twice = [...Array(states).keys()].flatMap((s) => [entries(s), entries(s)]);
  const rowStart = new Uint32Array(2 * states + 1);
  for (const [row, [start, end]] of twice.entries()) rowStart[row + 1] = rowStart[row] + end - start;
  const [everywhere, target] = [BitSet.full(states), BitSet.of(states, [0])];
  const ends = BitSet.where(states, (s) => matrix.columns[matrix.rowStart[s]] === s);
  using mdp = kernel.mdp({
    rowGroupStart: Uint32Array.from({ length: states + 1 }, (_, s) => 2 * s),
    rowStart,
    columns: Uint32Array.from(twice.flatMap(([start, end]) => [...matrix.columns.subarray(start, end)])),
    values: Float64Array.from(twice.flatMap(([start, end]) => [...matrix.values.subarray(start, end)])),
  });
  for (const precision of [1e-3, 1e-15]) {
    for (const direction of ['min', 'max'] as const) {
      attempt(() => mdp.until(direction, everywhere, target, { precision, maxIterations: 3000 }));
      const rewards = { states: new Float64Array(states).fill(1) };
      const options = { precision, maxIterations: 3000 };
      attempt(() => mdp.reachabilityReward(direction, rewards, ends, options), Number.POSITIVE_INFINITY);
    }
  }
}

const limit = 900_000 + 10_000 * seconds; // a busy machine is no fault, and scripts/fuzz.mjs notices what hangs

describe.each(backends)('%s', (_, kernel) => {
  test('whatever it is given, a kernel answers within the laws or refuses with a typed error', {
    timeout: limit,
  }, () => {
    const done = rounds(12, (random) => fuzzRound(kernel, random));
    const before = kernel.memoryBytes();
    rounds(done, (random) => fuzzRound(kernel, random), 0);
    expect(kernel.memoryBytes()).toBe(before);
  });
});

describe.each([
  ['with SIMD', wasmBytes()],
  ['without SIMD', scalarWasmBytes()],
])('the module %s', (_, bytes) => {
  test('writes inside of its blocks only, gives them back, and reads nothing that it has not written', {
    timeout: limit,
  }, () => {
    const plain = kernelOf(new WasmEngine(instantiateKernel(bytes)));
    const { kernel, held } = guardedKernel(randomNumbers(5), { bytes });
    rounds(10, (random, seed) => {
      const [answers, expected]: string[][] = [[], []];
      fuzzRound(recorded(kernel, answers), random);
      expect(held()).toBe(0);
      fuzzRound(recorded(plain, expected), randomNumbers(seed));
      expect(answers).toEqual(expected);
    });
  });

  test('gives back what it has when memory ends in the middle', { timeout: limit }, () => {
    const { kernel, held } = guardedKernel(randomNumbers(7), { bytes, refusals: 0.1 });
    rounds(10, (random) => {
      fuzzRound(kernel, random);
      expect(held()).toBe(0);
    });
  });

  test('takes any bytes in all of its functions without a trap', { timeout: limit }, () => {
    const { exports, held, called } = guardedKernel(randomNumbers(6), { bytes });
    const round = (random: () => number) => {
      rawRound(exports, random);
      expect(held()).toBe(0);
    };
    const done = rounds(50, round);
    const before = exports.memory.buffer.byteLength;
    rounds(done, round, 0);
    expect(exports.memory.buffer.byteLength).toBe(before);
    const functions = WebAssembly.Module.exports(new WebAssembly.Module(bytes)).flatMap(({ kind, name }) =>
      kind === 'function' ? [name] : [],
    );
    expect(functions.length).toBeGreaterThan(150);
    expect(functions.filter((name) => called.has(name) === NOT_CALLED.has(name))).toEqual([]);
  });
});

test('random calls reach every function that the bindings use', () => {
  const folder = fileURLToPath(new URL('../../bindings/solvers/kernel/wasm/', import.meta.url));
  const sources = readdirSync(folder).map((file) => readFileSync(folder + file, 'utf8'));
  const used = new Set(
    sources.flatMap((source) => [...source.matchAll(/exports\.(\w+)/g)].map(([, name]) => name)),
  );
  const { kernel, exports, called } = guardedKernel(randomNumbers(8));
  for (let seed = 1; seed <= 100; seed++) fuzzRound(kernel, randomNumbers(seed));
  hardRound(kernel);
  const functions = [...used].filter((name) => typeof exports[name] === 'function');
  expect(functions.length).toBeGreaterThan(100);
  expect(functions.filter((name) => !called.has(name))).toEqual([]);
});
