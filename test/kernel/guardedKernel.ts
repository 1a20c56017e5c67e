import type { Kernel } from '../../bindings/solvers/kernel/index.js';
import { kernelOf } from '../../bindings/solvers/kernel/registry.js';
import { WasmEngine } from '../../bindings/solvers/kernel/wasm/engine.js';
import type { KernelExports, Pointer } from '../../bindings/solvers/kernel/wasm/exports.js';
import { instantiateKernel } from '../../bindings/solvers/kernel/wasm/module.js';
import { wasmBytes } from './wasmBytes.js';

const GUARD = 64;

/**
 * A kernel that notices what it does to memory: blocks come full of random bytes, so that reading what was never written changes
 * answers, and lie between guards, which are compared when a block is given back.
 */
export interface GuardedKernel {
  readonly kernel: Kernel;
  readonly exports: KernelExports;
  /** Blocks not given back yet. */
  readonly held: () => number;
  /** Names of the functions called so far. */
  readonly called: ReadonlySet<string>;
}

export interface GuardOptions {
  /** Default: the build with SIMD. */
  readonly bytes?: BufferSource;
  /** How often a block is refused, as if memory were full. Default never. */
  readonly refusals?: number;
}

export function guardedKernel(
  random: () => number,
  { bytes = wasmBytes(), refusals = 0 }: GuardOptions = {},
): GuardedKernel {
  const inner = instantiateKernel(bytes);
  const blocks = new Map<Pointer, number>();
  const noise = Uint8Array.from({ length: 1 << 16 }, () => random() * 256);
  const view = (from: Pointer, length: number) => new Uint8Array(inner.memory.buffer, from >>> 0, length);
  const guards = (block: Pointer, size: number) => [view(block - GUARD, GUARD), view(block + size, GUARD)];

  const called = new Set<string>();
  const exports = { memory: inner.memory } as Record<string, unknown>;
  for (const name of Object.keys(inner)) {
    const value = inner[name];
    if (typeof value !== 'function') continue;
    exports[name] = (...values: unknown[]) => {
      called.add(name);
      return value(...values);
    };
  }
  exports.allocate = (size: number): Pointer => {
    called.add('allocate');
    if (refusals > 0 && random() < refusals) return 0;
    const place = inner.allocate(size >= 0 ? size + 2 * GUARD : size);
    if (place === 0) return 0;
    const block = place + GUARD;
    const payload = view(block, size);
    const start = Math.floor(random() * 1024);
    for (let i = 0; i < size; i += noise.length - start)
      payload.set(noise.subarray(start, Math.min(noise.length, start + size - i)), i);
    for (const guard of guards(block, size)) guard.fill(0xa5);
    blocks.set(block, size);
    return block;
  };
  exports.release = (block: Pointer): void => {
    called.add('release');
    const size = blocks.get(block);
    if (size === undefined) throw new Error(`release(${block}): no block begins there`);
    if (guards(block, size).some((guard) => guard.some((byte) => byte !== 0xa5)))
      throw new Error(`written outside of a block of ${size} bytes`);
    blocks.delete(block);
    inner.release(block - GUARD);
  };
  const guarded = exports as unknown as KernelExports;
  return { kernel: kernelOf(new WasmEngine(guarded)), exports: guarded, held: () => blocks.size, called };
}
