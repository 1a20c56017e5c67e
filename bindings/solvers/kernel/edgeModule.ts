import module from './foreguard.wasm';

/** The kernel for edge runtimes, which refuse to compile bytes but import a module file already compiled. */
export function edgeModule(): WebAssembly.Module {
  return module;
}
