import { KernelError } from '../../base/errors.js';
import { openChain } from './chain.js';
import type { Engine } from './engine.js';
import { openIntervalChain, openIntervalMdp } from './intervals.js';
import { openMdp } from './mdp.js';
import { openProduct } from './product.js';
import type { Kernel } from './types/index.js';
import { WasmEngine } from './wasm/engine.js';
import { instantiateKernel, instantiateKernelLater, type ModuleSource } from './wasm/module.js';

let registered: (() => ModuleSource) | undefined;
let current: Kernel | undefined;

/** Registers the source of `getKernel`'s module, read at its first call. The package's entry points call this. */
export function registerModule(source: () => ModuleSource): void {
  registered = source;
}

/**
 * Returns the kernel that all of Foreguard computes with: the one that `init` chose, else the WebAssembly module that comes
 * with the package, compiled at the first call.
 *
 * @throws KernelError if no module was registered, or it cannot be instantiated here.
 */
export function getKernel(): Kernel {
  if (current === undefined) {
    if (registered === undefined) {
      throw new KernelError(
        "no kernel was chosen: import 'foreguard', which brings its own, or call init({ module }) first",
      );
    }
    current = kernelOf(new WasmEngine(instantiateKernel(registered())));
  }
  return current;
}

/**
 * Chooses the kernel, for runtimes that cannot load the default. Chains opened before stay with the kernel that opened them.
 *
 * @param options.module `foreguard.wasm` as bytes, compiled, as a `Response`, or as a promise of one of these. Default: the
 *   module that comes with the package.
 * @returns the kernel that `getKernel` returns from now on.
 * @throws KernelError if the module cannot be instantiated, or belongs to another version.
 */
export async function init(
  options: { module?: ModuleSource | Response | PromiseLike<ModuleSource | Response> } = {},
): Promise<Kernel> {
  if (options.module === undefined) return getKernel();
  return useKernel(kernelOf(new WasmEngine(await instantiateKernelLater(options.module))));
}

/** Makes `getKernel` return `kernel`. Default: the module that comes with the package. @internal */
export function useKernel(kernel: Kernel): Kernel;
export function useKernel(): void;
export function useKernel(kernel?: Kernel): Kernel | undefined {
  current = kernel;
  return kernel;
}

/** The kernel that computes with an engine. @internal */
export function kernelOf(engine: Engine): Kernel {
  return {
    chain: (matrix) => openChain(engine, matrix),
    product: (chain, automata, seeds, options) => openProduct(engine, chain, automata, seeds, options),
    mdp: (matrix) => openMdp(engine, matrix),
    intervalChain: (matrix) => openIntervalChain(engine, matrix),
    intervalMdp: (matrix) => openIntervalMdp(engine, matrix),
    memoryBytes: () => engine.memoryBytes(),
  };
}
