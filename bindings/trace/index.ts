export { readJsonLines } from './jsonLines.js';
export type { ReadOptions, SkippedTrace } from './reader.js';
export type { Action, Step, Trace } from './trace.js';
