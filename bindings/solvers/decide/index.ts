export { rename, substituted } from './constants.js';
export { type Answer, type Assignment, Decider, type DeciderOptions, holds } from './decide.js';
export { DEFAULT_STEPS } from './steps.js';
