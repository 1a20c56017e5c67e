import { instantiate as instantiateLater, instantiateSync } from '@assemblyscript/loader';
import { KernelError } from '../../../base/errors.js';
import type { KernelExports } from './exports.js';

/** A compiled kernel or its bytes. */
export type ModuleSource = WebAssembly.Module | BufferSource;

/** Instantiates the kernel synchronously. @throws KernelError if this runtime cannot, or the module is not the kernel. */
export function instantiateKernel(source: ModuleSource): KernelExports {
  try {
    return checked(instantiateSync<KernelExports>(source).exports);
  } catch (cause) {
    throw notLoaded(cause);
  }
}

/** Instantiates the kernel from a source that may still be loading. @throws KernelError as `instantiateKernel`. */
export async function instantiateKernelLater(
  source: ModuleSource | Response | PromiseLike<ModuleSource | Response>,
): Promise<KernelExports> {
  try {
    return checked((await instantiateLater<KernelExports>(source)).exports);
  } catch (cause) {
    throw notLoaded(cause);
  }
}

function checked(exports: KernelExports): KernelExports {
  if (typeof exports.layOutChain !== 'function')
    throw new TypeError('the module does not export the kernel functions');
  return exports;
}

function notLoaded(cause: unknown): KernelError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new KernelError(
    `the WebAssembly kernel could not be loaded (${reason}): pass foreguard.wasm of this version to init({ module })`,
    { cause },
  );
}
