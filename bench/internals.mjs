// What benchmarks need of the sources and the package does not export.
import { bundleSources } from '../scripts/bundleSources.mjs';

const bundle = await bundleSources(
  `export { openTables, packTables } from './bindings/guard/index.ts';
export { Counter } from './bindings/learning/index.ts';
export { windowInSteps } from './bindings/logic/index.ts';
export { nodeSha256, withDuckDb } from './bindings/node/index.ts';`,
  'out/bench/internals.mjs',
);

export const { Counter, nodeSha256, openTables, packTables, windowInSteps, withDuckDb } = await import(
  bundle
);
