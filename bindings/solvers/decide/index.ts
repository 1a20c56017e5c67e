export { substituted } from './constants.js';
export { type Answer, type Assignment, type Claim, Decider, holds } from './decide.js';
export { SameOrder } from './sameOrder.js';
