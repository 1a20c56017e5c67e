/** The build puts build/foreguard.wasm beside the compiled files; edge runtimes import it as a compiled module. */
declare module '*.wasm' {
  const module: WebAssembly.Module;
  // biome-ignore lint/style/noDefaultExport: this is how such an import is defined
  export default module;
}
