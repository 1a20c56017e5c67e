export { type BuildOptions, type BuiltModel, build } from './build.js';
export type { Fractions } from './fractions.js';
