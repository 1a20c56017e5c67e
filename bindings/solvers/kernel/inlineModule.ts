import { KernelError } from '../../base/errors.js';
import { wasmText } from './generated/wasm.js';
import { moduleBytes } from './moduleText.js';

/**
 * The kernel that comes with the package, which uses SIMD. The build without weighs as much again, and the few engines that need it can fetch it.
 *
 * @throws KernelError where the engine has no SIMD
 */
export function inlineModule(): Uint8Array<ArrayBuffer> {
  const module = moduleBytes(wasmText);
  if (WebAssembly.validate(module)) return module;
  throw new KernelError(
    "this engine's WebAssembly has no SIMD, which the kernel inside the package uses; hand over the build without it, foreguard.scalar.wasm, before anything is solved: await init({ module: fetch(address) })",
  );
}
