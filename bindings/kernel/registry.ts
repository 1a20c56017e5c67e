import { KernelError } from '../errors.js';
import { openChain } from './chain.js';
import type { Engine } from './engine.js';
import { openIntervalChain, openIntervalMdp } from './intervals.js';
import { openMdp } from './mdp.js';
import { openProduct } from './product.js';
import { ReferenceEngine } from './reference/engine.js';
import type { Kernel } from './types/index.js';
import { WasmEngine } from './wasm/engine.js';
import { instantiateKernel, instantiateKernelLater, type ModuleSource } from './wasm/module.js';

/** The kernel in plain TypeScript: for tests, for reading, and where WebAssembly is not available. */
export const referenceKernel: Kernel = kernelOf(new ReferenceEngine());

let registered: (() => ModuleSource) | undefined;
let current: Kernel | undefined;

/** Says where `getKernel` finds its module when it is first called. Done by the entry points of the package. */
export function registerModule(source: () => ModuleSource): void {
  registered = source;
}

/**
 * The kernel that all of Foreguard computes with: what `init` chose, else the WebAssembly module that comes with the package,
 * compiled at the first call.
 *
 * @throws KernelError if no module was registered, or it cannot be instantiated here.
 */
export function getKernel(): Kernel {
  if (current === undefined) {
    if (registered === undefined) {
      throw new KernelError(
        "no kernel was chosen: import 'foreguard', which brings its own, or call init({ module }) or init({ backend: 'reference' }) first",
      );
    }
    current = kernelOf(new WasmEngine(instantiateKernel(registered())));
  }
  return current;
}

/**
 * Chooses the kernel, for runtimes where the default does not load by itself. Chains opened before stay with the kernel that
 * opened them.
 *
 * @param options.module `foreguard.wasm` as bytes, compiled, as a `Response`, or as a promise of one of these. Omitted: the
 *   module that comes with the package.
 * @param options.backend `reference` computes in plain TypeScript. Default `wasm`.
 * @returns the kernel that `getKernel` returns from now on.
 * @throws KernelError if the module cannot be instantiated, or is not the kernel of this version.
 */
export async function init(
  options: {
    module?: ModuleSource | Response | PromiseLike<ModuleSource | Response>;
    backend?: Kernel['backend'];
  } = {},
): Promise<Kernel> {
  if (options.backend === 'reference') return (current = referenceKernel);
  if (options.module === undefined) {
    if (current?.backend !== 'wasm') current = undefined;
    return getKernel();
  }
  return (current = kernelOf(new WasmEngine(await instantiateKernelLater(options.module))));
}

/** The kernel that computes with an engine. */
export function kernelOf(engine: Engine): Kernel {
  return {
    backend: engine.backend,
    chain: (matrix) => openChain(engine, matrix),
    product: (chain, automata, seeds, options) => openProduct(engine, chain, automata, seeds, options),
    mdp: (matrix) => openMdp(engine, matrix),
    intervalChain: (matrix) => openIntervalChain(engine, matrix),
    intervalMdp: (matrix) => openIntervalMdp(engine, matrix),
    memoryBytes: () => engine.memoryBytes(),
  };
}
