import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  InvalidArgumentError,
  InvalidModelError,
  KernelError,
  NotConvergedError,
  NotSupportedError,
} from '../../bindings/base/errors.js';
import { BitSet, getKernel, type Solution } from '../../bindings/solvers/kernel/index.js';
import '../../bindings/solvers/kernel/inline.js';
import { openThreads, type Threads } from '../../bindings/solvers/kernel/threads/index.js';
import { runs } from '../laws/runs.js';
import { expectBrackets, widest } from '../oracle/brackets.js';
import { ExactChain } from '../oracle/chain.js';
import { chainOf, haddadMonmege, randomChain } from './chains.js';
import { arbitraryUntil } from './randomChains.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-threads-'));
const worker = pathToFileURL(join(folder, 'worker.mjs'));
const open = (count: number, leastStates = 2) => openThreads({ count, leastStates, worker });

/** Two threads, and three, that share every component of two states and more. */
let two: Threads;
let three: Threads;

beforeAll(async () => {
  const source = fileURLToPath(
    new URL('../../bindings/solvers/kernel/threads/threadsWorker.ts', import.meta.url),
  );
  await build({
    entryPoints: [source],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    outfile: fileURLToPath(worker),
  });
  two = await open(2);
  three = await open(3);
});

afterAll(async () => {
  await two.close();
  await three.close();
  rmSync(folder, { recursive: true });
});

const everywhere = (states: number) => BitSet.full(states);
const at = (states: number, state: number) => BitSet.of(states, [state]);

const overlap = (a: Pick<Solution, 'lower' | 'upper'>, b: Pick<Solution, 'lower' | 'upper'>) =>
  a.lower.every((lower, s) => lower <= b.upper[s] && b.lower[s] <= a.upper[s]);

describe('threads', () => {
  test('bracket the exact probability whenever they stop', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryUntil,
        fc.constantFrom(1e-3, 1e-6),
        fc.boolean(),
        async ({ matrix, remain, target }, precision, more) => {
          const solved = await (more ? three : two)
            .until(matrix, remain, target, {
              precision,
              method: 'interval-iteration',
              maxIterations: 2000,
            })
            .catch((error) => {
              if (error instanceof NotConvergedError) return error;
              throw error;
            });
          expectBrackets(solved, new ExactChain(matrix).until(remain, target));
          if (!(solved instanceof NotConvergedError))
            expect(widest(solved)).toBeLessThanOrEqual(2 * precision);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test('agree with one thread on a component of ten thousand states, at the width asked for', async () => {
    const matrix = randomChain(10_000, 4, 11);
    const [remain, target] = [everywhere(10_000), at(10_000, 9_999)];
    using chain = getKernel().chain(matrix);
    const alone = chain.until(remain, target);
    for (const threads of [two, three]) {
      const together = await threads.until(matrix, remain, target);
      expect(together.method).toBe(alone.method);
      expect(together.accuracy).toBe('bounded');
      expect(together.iterations).toBeGreaterThan(alone.iterations / 2);
      expect(widest(together)).toBeLessThanOrEqual(2e-6);
      expect(overlap(together, alone)).toBe(true);
      const again = await threads.until(matrix, remain, target);
      expect([again.lower, again.upper]).toEqual([together.lower, together.upper]);
    }
  });

  test('give the very bits of the ordinary kernel where one of them works alone', async () => {
    const matrix = randomChain(3000, 4, 5);
    const [remain, target] = [everywhere(3000), at(3000, 2999)];
    using chain = getKernel().chain(matrix);
    const alone = chain.until(remain, target, { method: 'interval-iteration' });
    await using one = await open(1);
    expect(await one.until(matrix, remain, target, { method: 'interval-iteration' })).toEqual(alone);
    await using none = await open(2, 1_000_000);
    expect(await none.until(matrix, remain, target, { method: 'interval-iteration' })).toEqual(alone);
  });

  test('stop at the floor of rounding', async () => {
    const matrix = randomChain(2000, 4, 3);
    const failed = await two
      .until(matrix, everywhere(2000), at(2000, 1999), { precision: 1e-18, method: 'interval-iteration' })
      .catch((error) => error);
    expect(failed).toBeInstanceOf(NotConvergedError);
    expect(widest(failed)).toBeLessThan(1e-12);
  });

  test('copy the chain before they return, and solve one after another what is asked for at once', async () => {
    const matrix = haddadMonmege(40);
    const [remain, target] = [everywhere(81), at(81, 0)];
    const solves = [1e-3, 1e-6, 1e-9].map((precision) => two.until(matrix, remain, target, { precision }));
    matrix.values.fill(0);
    const exact = new ExactChain(haddadMonmege(40)).until(remain, target);
    for (const solution of await Promise.all(solves)) expectBrackets(solution, exact);
  });

  test('report progress, and are aborted from there or by a signal', async () => {
    const matrix = haddadMonmege(200); // not decided by any number of sweeps that one would wait for
    const [remain, target] = [everywhere(401), at(401, 0)];
    const slow = { method: 'interval-iteration' } as const;
    const controller = new AbortController();
    const seen: number[] = [];
    const onProgress = ({ gap, iterations }: { gap: number; iterations: number }) => {
      expect(gap).toBeGreaterThan(0);
      seen.push(iterations);
      if (seen.length === 2) controller.abort(new Error('enough'));
    };
    await expect(
      two.until(matrix, remain, target, { ...slow, onProgress, signal: controller.signal }),
    ).rejects.toThrow('enough');
    expect(seen.length).toBe(2);
    expect(seen[1]).toBeGreaterThan(seen[0]);
    const thrown = () => {
      throw new Error('no more');
    };
    await expect(two.until(matrix, remain, target, { ...slow, onProgress: thrown })).rejects.toThrow(
      'no more',
    );
    await expect(two.until(matrix, remain, target, { signal: AbortSignal.abort('early') })).rejects.toBe(
      'early',
    );
    const later = two.until(matrix, remain, target, { ...slow, signal: AbortSignal.timeout(50) });
    await expect(later).rejects.toThrow(/timeout/i);
    expect((await two.until(matrix, remain, target)).upper[200]).toBeGreaterThanOrEqual(0.7);
  });

  test('refuse what the kernel refuses, with its errors', async () => {
    const [remain, target] = [everywhere(2), at(2, 1)];
    const short = chainOf([[[1, 0.5]], [[1, 1]]]);
    const failed = await two.until(short, remain, target).catch((error) => error);
    expect(failed).toBeInstanceOf(InvalidModelError);
    expect(failed).toMatchObject({ state: 0, rowSum: 0.5 });
    const good = chainOf([[[1, 1]], [[1, 1]]]);
    await expect(two.until(good, everywhere(3), target)).rejects.toThrow(InvalidArgumentError);
    await expect(two.until(good, remain, target, { precision: 2 })).rejects.toThrow(InvalidArgumentError);
    expect((await two.until(good, remain, target)).lower).toEqual(Float64Array.of(1, 1));
  });

  test('are of no use once closed, and reject what they were at', async () => {
    const threads = await open(2);
    const matrix = haddadMonmege(200);
    const ask = () =>
      threads.until(matrix, everywhere(401), at(401, 0), {
        method: 'interval-iteration',
        onProgress: () => void threads.close(),
      });
    const [first, second] = [ask(), ask()];
    await expect(first).rejects.toThrow(InvalidArgumentError);
    await expect(second).rejects.toThrow(/closed/);
    await expect(ask()).rejects.toThrow(/closed/);
    await threads.close();
  });

  test('end with an error, and never hang, when a thread cannot start or dies', async () => {
    const missing = pathToFileURL(join(folder, 'missing.mjs'));
    await expect(openThreads({ count: 2, worker: missing })).rejects.toThrow(KernelError);
    const dying = `const { parentPort, Worker } = process.getBuiltinModule('node:worker_threads');
      parentPort.on('message', ({ index }) => { if (index === 1) process.exit(3); });
      parentPort.postMessage({ kind: 'ready' });`;
    const threads = await openThreads({
      count: 2,
      worker: new URL(`data:text/javascript,${encodeURIComponent(dying)}`),
    });
    const matrix = haddadMonmege(5);
    const ask = () => threads.until(matrix, everywhere(11), at(11, 0));
    await expect(ask()).rejects.toThrow(/ended with code 3/);
    await expect(ask()).rejects.toThrow(KernelError);
    await threads.close();
  });

  test('refuse options out of range, and pages that may not share memory', async () => {
    await expect(openThreads({ count: 0, worker })).rejects.toThrow(InvalidArgumentError);
    await expect(openThreads({ count: 2, leastStates: 0.5, worker })).rejects.toThrow(InvalidArgumentError);
    vi.stubGlobal('SharedArrayBuffer', undefined);
    try {
      await expect(openThreads({ count: 2, worker })).rejects.toThrow(NotSupportedError);
      await expect(openThreads({ count: 2, worker })).rejects.toThrow(/Cross-Origin-Embedder-Policy/);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
