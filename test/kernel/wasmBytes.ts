import { scalarWasmText, wasmText } from '../../bindings/solvers/kernel/generated/wasm.js';
import { moduleBytes } from '../../bindings/solvers/kernel/moduleText.js';

/** The bytes of the kernel's module. */
export function wasmBytes(): Uint8Array<ArrayBuffer> {
  return moduleBytes(wasmText);
}

/** The bytes of the module for engines without SIMD. */
export function scalarWasmBytes(): Uint8Array<ArrayBuffer> {
  return moduleBytes(scalarWasmText);
}
