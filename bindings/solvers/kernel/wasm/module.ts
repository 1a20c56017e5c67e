import { KernelError } from '../../../base/errors.js';
import type { KernelExports } from './exports.js';

/** A compiled kernel or its bytes. */
export type ModuleSource = WebAssembly.Module | BufferSource;

/** Instantiates the kernel synchronously. @throws KernelError if this runtime cannot, or the module is not the kernel. */
export function instantiateKernel(source: ModuleSource): KernelExports {
  try {
    const module = source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source);
    return checked(new WebAssembly.Instance(module));
  } catch (cause) {
    throw notLoaded(cause);
  }
}

/** Instantiates the kernel from a source that may still be loading. @throws KernelError as `instantiateKernel`. */
export async function instantiateKernelLater(
  source: ModuleSource | Response | PromiseLike<ModuleSource | Response>,
): Promise<KernelExports> {
  try {
    return checked(await WebAssembly.instantiate(await compile(await source)));
  } catch (cause) {
    throw notLoaded(cause);
  }
}

async function compile(source: ModuleSource | Response): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof Response !== 'function' || !(source instanceof Response))
    return WebAssembly.compile(source as BufferSource);
  // Some runtimes have no streaming.
  if (WebAssembly.compileStreaming === undefined) return WebAssembly.compile(await source.arrayBuffer());
  return WebAssembly.compileStreaming(source);
}

/** The kernel imports nothing; its exports are functions and its memory. */
function checked({ exports }: WebAssembly.Instance): KernelExports {
  if (typeof exports.layOutChain !== 'function')
    throw new TypeError('the module does not export the kernel functions');
  return exports as unknown as KernelExports;
}

function notLoaded(cause: unknown): KernelError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new KernelError(
    `the WebAssembly kernel could not be loaded (${reason}): pass foreguard.wasm of this version to init({ module })`,
    { cause },
  );
}
