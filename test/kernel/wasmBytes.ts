import { scalarWasmBase64, wasmBase64 } from '../../bindings/kernel/generated/wasm.js';

/** The bytes of the kernel's module. */
export function wasmBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(wasmBase64, 'base64'));
}

/** The bytes of the module for engines without SIMD. */
export function scalarWasmBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(scalarWasmBase64, 'base64'));
}
