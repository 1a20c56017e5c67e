export type { Claim } from '../recheck/index.js';
export { rename, substituted } from './constants.js';
export { type Answer, type Assignment, Decider, type DeciderOptions, holds } from './decide.js';
export { SameOrder } from './sameOrder.js';
export { DEFAULT_STEPS } from './steps.js';
export { machineOfText } from './textAtoms.js';
export { reasonOf, Undecidable } from './undecidable.js';
