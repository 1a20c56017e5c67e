import { scalarWasmBase64, wasmBase64 } from './generated/wasm.js';
import { registerModule } from './registry.js';

registerModule(inlineModule);

/** The kernel that comes with the package. */
export function inlineModule(): Uint8Array<ArrayBuffer> {
  const module = decode(wasmBase64);
  return WebAssembly.validate(module) ? module : decode(scalarWasmBase64); // only an engine without SIMD refuses
}

/** Bytes from base64: atob exists in every runtime that the package is for, Buffer does not. */
export function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
