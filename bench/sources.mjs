// Foreguard from its sources in one bundle, with the readable engine that tests compare the kernel with: `referenceKernel`, and `useKernel` to compute with it.
// The package brings no such engine; benchmarks that compare the two import from here, so that both use the same code around them.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const bundle = `${root}out/bench/sources.mjs`;
await build({
  stdin: {
    contents: `export * from './bindings/index.ts';
      export { useKernel } from './bindings/kernel/registry.ts';
      export { referenceKernel } from './test/oracle/engine/index.ts';`,
    resolveDir: root,
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  // The package names files of dist/ alone as having side effects.
  ignoreAnnotations: true,
  outfile: bundle,
  logLevel: 'error',
});

/** All that `foreguard` exports, with `referenceKernel` and `useKernel`. */
export const sources = await import(bundle);
