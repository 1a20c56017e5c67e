export { substituted } from './constants.js';
export { type Answer, type Assignment, type Claim, Decider, type DeciderOptions, holds } from './decide.js';
export { DEFAULT_STEPS } from './steps.js';
