import { KernelError } from '../errors.js';
import { wasmBase64 } from './generated/wasm.js';
import { registerModule } from './registry.js';

registerModule(inlineModule);

/**
 * The kernel that comes with the package, which uses SIMD. The build without weighs as much again, and the few engines that need it can fetch it.
 *
 * @throws KernelError where the engine has no SIMD
 */
export function inlineModule(): Uint8Array<ArrayBuffer> {
  const module = decode(wasmBase64);
  if (WebAssembly.validate(module)) return module;
  throw new KernelError(
    "this engine's WebAssembly has no SIMD, which the kernel inside the package uses; hand over the build without it, foreguard.scalar.wasm, before anything is solved: await init({ module: fetch(address) })",
  );
}

/** Bytes from base64: atob exists in every runtime that the package is for, Buffer does not. */
export function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
