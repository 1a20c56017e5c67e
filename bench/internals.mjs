// What benchmarks need of the sources and the package does not export.
import { bundleSources } from '../scripts/bundleSources.mjs';

const bundle = await bundleSources(
  `export { Abstraction } from './bindings/observations/abstraction/index.ts';
export { openTables, packTables } from './bindings/runtime/guard/index.ts';
export { Counter } from './bindings/estimation/learning/index.ts';
export { loadParts, PolicyDecider } from './bindings/runtime/policy/index.ts';
export { windowInSteps } from './bindings/languages/logic/index.ts';
export { learnWithDuckDb, nodeSha256, withDuckDb } from './bindings/face/node/index.ts';`,
  'out/bench/internals.mjs',
);

export const {
  Abstraction,
  Counter,
  learnWithDuckDb,
  loadParts,
  nodeSha256,
  openTables,
  PolicyDecider,
  packTables,
  windowInSteps,
  withDuckDb,
} = await import(bundle);
