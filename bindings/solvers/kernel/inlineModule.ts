import { KernelError } from '../../base/errors.js';
import { wasmText } from './generated/wasm.js';
import { moduleBytes } from './moduleText.js';

/**
 * The kernel that comes with the package, which uses SIMD. A second build without SIMD would double the size; the few engines
 * that need one can fetch it.
 *
 * @throws KernelError if the engine has no SIMD
 */
export function inlineModule(): Uint8Array<ArrayBuffer> {
  const module = moduleBytes(wasmText);
  if (WebAssembly.validate(module)) return module;
  throw new KernelError(
    "this engine's WebAssembly has no SIMD, which the kernel inside the package uses; hand over the build without it, foreguard.scalar.wasm, before anything is solved: await init({ module: fetch(address) })",
  );
}
