import { afterEach, expect, test, vi } from 'vitest';
import { KernelError } from '../../bindings/base/errors.js';
import '../../bindings/solvers/kernel/inline.js';
import { BitSet, getKernel, init, type Kernel } from '../../bindings/solvers/kernel/index.js';
import { useKernel } from '../../bindings/solvers/kernel/registry.js';
import { referenceKernel } from '../oracle/engine/index.js';
import { gambler } from './chains.js';
import { scalarWasmBytes, wasmBytes } from './wasmBytes.js';

afterEach(async () => {
  await init();
});

function expectWorks(kernel: Kernel): void {
  using chain = kernel.chain(gambler(2, 0.5));
  const { lower, upper } = chain.until(BitSet.full(3), BitSet.of(3, [2]));
  expect(lower[1]).toBeLessThanOrEqual(0.5);
  expect(upper[1]).toBeGreaterThanOrEqual(0.5);
}

test('without init the kernel is the one that the package brings, always the same', () => {
  expect(getKernel()).toBe(getKernel());
  expectWorks(getKernel());
});

test('init takes the module as bytes, compiled, fetched, or promised', async () => {
  const wasm = { headers: { 'content-type': 'application/wasm' } };
  for (const module of [
    wasmBytes(),
    new WebAssembly.Module(wasmBytes()),
    new Response(wasmBytes(), wasm),
    Promise.resolve(new Response(wasmBytes(), wasm)),
  ]) {
    const kernel = await init({ module });
    expect(kernel).toBe(getKernel());
    expectWorks(kernel);
  }
});

test('init takes what was fetched where the engine does not compile what is still on its way', async () => {
  const { compileStreaming, instantiateStreaming } = WebAssembly;
  Object.assign(WebAssembly, { compileStreaming: undefined, instantiateStreaming: undefined });
  try {
    expectWorks(await init({ module: new Response(wasmBytes()) }));
  } finally {
    Object.assign(WebAssembly, { compileStreaming, instantiateStreaming });
  }
});

test('an engine without SIMD is told to hand over the build without it', async () => {
  vi.resetModules();
  vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
  try {
    await import('../../bindings/solvers/kernel/inline.js');
    const fresh = await import('../../bindings/solvers/kernel/index.js');
    expect(() => fresh.getKernel()).toThrow(/no SIMD.*foreguard\.scalar\.wasm.*init\(\{ module/);
    const scalar = await fresh.init({ module: scalarWasmBytes() });
    expect(scalar.memoryBytes()).toBeGreaterThan(0);
    expect(fresh.getKernel()).toBe(scalar);
  } finally {
    vi.restoreAllMocks();
  }
});

test('init takes the build without SIMD, which is another one', async () => {
  expect(scalarWasmBytes()).not.toEqual(wasmBytes());
  expectWorks(await init({ module: scalarWasmBytes() }));
});

test('the readable engine takes the place of the module where tests want it to, and leaves it', async () => {
  useKernel(referenceKernel);
  expect(getKernel()).toBe(referenceKernel);
  expectWorks(getKernel());
  useKernel();
  expect(await init()).not.toBe(referenceKernel);
  expect(getKernel().memoryBytes()).toBeGreaterThan(0);
});

test('a module that is not the kernel is refused, with what to do', async () => {
  const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  for (const module of [empty, Uint8Array.of(1, 2, 3), new Response('not found', { status: 404 })]) {
    const loading = init({ module });
    await expect(loading).rejects.toThrow(KernelError);
    await expect(loading).rejects.toThrow(/init\(\{ module \}\)/);
  }
  expectWorks(getKernel());
});

test('the module stays small', () => {
  expect(wasmBytes().length).toBeLessThanOrEqual(65_536);
  expect(scalarWasmBytes().length).toBeLessThanOrEqual(65_536);
  expect(WebAssembly.Module.imports(new WebAssembly.Module(wasmBytes()))).toEqual([]);
});
