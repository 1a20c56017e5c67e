import { KernelError } from '../../errors.js';
import type { KernelExports } from './exports.js';

/** A compiled kernel or its bytes. */
export type ModuleSource = WebAssembly.Module | BufferSource;

/** Instantiates the kernel at once. @throws KernelError if this runtime cannot, or the module is another one. */
export function instantiateKernel(source: ModuleSource): KernelExports {
  try {
    return instantiate(source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source));
  } catch (cause) {
    throw notLoaded(cause);
  }
}

/** Instantiates the kernel from something that may still be on its way. @throws KernelError as `instantiateKernel`. */
export async function instantiateKernelLater(
  source: ModuleSource | Response | PromiseLike<ModuleSource | Response>,
): Promise<KernelExports> {
  try {
    return instantiate(await compile(await source));
  } catch (cause) {
    throw notLoaded(cause);
  }
}

async function compile(source: ModuleSource | Response): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof Response === 'undefined' || !(source instanceof Response))
    return WebAssembly.compile(source as BufferSource);
  // Engines that compile what is still on its way are to be preferred, but not all do.
  if (WebAssembly.compileStreaming !== undefined) return WebAssembly.compileStreaming(source);
  return WebAssembly.compile(await source.arrayBuffer());
}

/** The kernel asks for nothing: it has no imports. */
function instantiate(module: WebAssembly.Module): KernelExports {
  const exports = new WebAssembly.Instance(module).exports as unknown as KernelExports;
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
