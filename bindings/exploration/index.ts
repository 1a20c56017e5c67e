export { type BuildOptions, type BuiltModel, build } from './build.js';
