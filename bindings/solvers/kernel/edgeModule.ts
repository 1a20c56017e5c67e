import module from './foreguard.wasm';

/** The kernel as edge runtimes have it: they refuse to compile bytes, but import a module file compiled. */
export function edgeModule(): WebAssembly.Module {
  return module;
}
