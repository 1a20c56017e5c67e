import { wasmBase64 } from '../../bindings/kernel/generated/wasm.js';

/** The bytes of the kernel's module. */
export function wasmBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(wasmBase64, 'base64'));
}
