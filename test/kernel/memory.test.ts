import { describe, expect, test } from 'vitest';
import { KernelError } from '../../bindings/base/errors.js';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import { KernelMemory } from '../../bindings/solvers/kernel/wasm/memory.js';
import { instantiateKernel } from '../../bindings/solvers/kernel/wasm/module.js';
import { referenceKernel } from '../oracle/engine/index.js';
import { backends } from './backends.js';
import { gambler, haddadMonmege, randomChain, randomNumbers } from './chains.js';
import { wasmBytes } from './wasmBytes.js';

describe.each(backends)('%s', (backend, kernel) => {
  // What the reference holds is the runtime's, which counts none of it here.
  test.runIf(backend === 'wasm')(
    'ten thousand rounds of building, solving and freeing do not grow memory',
    () => {
      const matrices = [gambler(6, 0.4), haddadMonmege(5), randomChain(120, 3, 1)];
      const round = (i: number) => {
        using chain = kernel.chain(matrices[i % matrices.length]);
        const target = BitSet.of(chain.states, [chain.states - 1]);
        chain.until(BitSet.full(chain.states), target, {
          method: i % 2 ? 'auto' : 'interval-iteration',
          precision: 1e-3,
        });
        chain.boundedUntil(BitSet.full(chain.states), target, 2);
        if (i % 10 === 0) {
          expect(() =>
            kernel.chain({ ...matrices[2], values: matrices[2].values.map((p) => p / 2) }),
          ).toThrow();
          expect(() => chain.until(target, target, { precision: -1 })).toThrow();
        }
      };
      for (let i = 0; i < 100; i++) round(i);
      const before = kernel.memoryBytes();
      for (let i = 0; i < 10_000; i++) round(i);
      expect(kernel.memoryBytes()).toBe(before);
    },
  );

  test('chains held at the same time do not disturb each other', () => {
    const sizes = [3, 40, 7, 90, 21, 60];
    const answer = (size: number) => {
      using chain = kernel.chain(gambler(size, 0.45));
      return chain.until(BitSet.full(size + 1), BitSet.of(size + 1, [size]));
    };
    const alone = sizes.map(answer);
    const held = sizes.map((size) => kernel.chain(gambler(size, 0.45)));
    held[1].free();
    held[4].free();
    const again = kernel.chain(gambler(40, 0.45));
    for (const [i, size] of sizes.entries()) {
      if (i === 4) continue;
      const chain = i === 1 ? again : held[i];
      expect(chain.until(BitSet.full(size + 1), BitSet.of(size + 1, [size]))).toEqual(alone[i]);
      chain.free();
    }
  });
});

test('the reference holds no memory that the runtime does not count', () => {
  using _chain = referenceKernel.chain(gambler(6, 0.4));
  expect(referenceKernel.memoryBytes()).toBe(0);
});

describe('the heap of the kernel', () => {
  test('blocks in use never overlap, and are reused when freed', () => {
    const exports = instantiateKernel(wasmBytes());
    const random = randomNumbers(11);
    const held: { block: number; words: number; mark: number }[] = [];
    const words = () => new Uint32Array(exports.memory.buffer);
    let largest = 0;
    for (let i = 0; i < 4_000; i++) {
      if (held.length < 40 && random() < 0.55) {
        const block = { block: exports.allocate(4 * 500), words: 0, mark: 0 };
        exports.release(block.block);
        block.words = 1 + Math.floor(random() * 500);
        block.block = exports.allocate(4 * block.words);
        block.mark = i + 1;
        expect(block.block % 16).toBe(0);
        words().fill(block.mark, block.block / 4, block.block / 4 + block.words);
        held.push(block);
      } else if (held.length > 0) {
        const [{ block, words: length, mark }] = held.splice(Math.floor(random() * held.length), 1);
        expect(
          words()
            .subarray(block / 4, block / 4 + length)
            .every((word) => word === mark),
        ).toBe(true);
        exports.release(block);
      }
      if (i === 400) largest = exports.memory.buffer.byteLength;
    }
    expect(exports.memory.buffer.byteLength).toBeLessThanOrEqual(largest + 2 * 65536);
  });

  test.each([
    [0, 1, 2],
    [2, 1, 0],
    [0, 2, 1],
    [1, 2, 0],
  ])('neighbours freed in the order %d, %d, %d become one block again', (...order) => {
    const exports = instantiateKernel(wasmBytes());
    const blocks = [160, 320, 480].map((bytes) => exports.allocate(bytes));
    exports.allocate(16);
    for (const i of order) exports.release(blocks[i]);
    // Each had 16 bytes in front, which two of them no longer need.
    expect(exports.allocate(160 + 320 + 480 + 2 * 16)).toBe(blocks[0]);
  });

  test('the first block may be one of no bytes', () => {
    const exports = instantiateKernel(wasmBytes());
    const empty = exports.allocate(0);
    expect(empty % 16).toBe(0);
    expect(exports.allocate(16)).toBe(empty + 16);
  });

  test('a block that would end at 4 GiB exactly is refused, and the next does not wrap round to 0', () => {
    const exports = instantiateKernel(wasmBytes());
    const first = exports.allocate(2 ** 31);
    const rest = 2 ** 32 - (first + 2 ** 31) - 16;
    expect(exports.allocate(rest)).toBe(0);
    expect(exports.allocate(16) >>> 0).toBe(first + 2 ** 31 + 16);
    expect(exports.allocate(rest - 64) >>> 0).toBe(first + 2 ** 31 + 48);
  });

  test('memory that cannot be had is an error that says how much was needed', () => {
    const memory = new KernelMemory(instantiateKernel(wasmBytes()));
    for (const bytes of [2 ** 32, 1e15, Number.NaN]) {
      expect(() => memory.allocate(bytes, 'this test')).toThrow(KernelError);
      expect(() => memory.allocate(bytes, 'this test')).toThrow(`this test needs ${bytes} bytes`);
    }
    expect(memory.bytes).toBeLessThan(2 ** 20);
    memory.release(memory.allocate(2 ** 20, 'this test'));
  });

  test('views follow the memory when it grows', () => {
    const memory = new KernelMemory(instantiateKernel(wasmBytes()));
    const block = memory.allocate(16, 'this test');
    memory.writeWords(block, Uint32Array.of(1, 2, 3, 4));
    memory.allocate(2 ** 22, 'this test');
    expect([...memory.readWords(block, 4)]).toEqual([1, 2, 3, 4]);
    memory.writeDoubles(block, Float64Array.of(0.25, 0.75));
    expect(memory.readBounds(block, 1)).toEqual({
      lower: Float64Array.of(0.25),
      upper: Float64Array.of(0.75),
    });
  });
});
