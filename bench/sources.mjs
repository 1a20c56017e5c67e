// Foreguard from its sources in one bundle, with the readable engine that tests compare the kernel with: `referenceKernel`, and `useKernel` to compute with it.
// The package brings no such engine; benchmarks that compare the two import from here, so that both use the same code around them.
import { bundleSources } from '../scripts/bundleSources.mjs';

const bundle = await bundleSources(
  `export * from './bindings/face/entries/index.ts';
export * from './bindings/face/entries/check.ts';
export * from './bindings/face/entries/study.ts';
export { useKernel } from './bindings/solvers/kernel/registry.ts';
export { referenceKernel } from './test/oracle/engine/index.ts';`,
  'out/bench/sources.mjs',
);

/** All that `foreguard`, `foreguard/check` and `foreguard/study` export, with `referenceKernel` and `useKernel`. */
export const sources = await import(bundle);
