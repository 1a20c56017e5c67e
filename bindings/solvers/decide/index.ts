export { substituted } from './constants.js';
export { type Answer, type Assignment, type Claim, Decider, holds, simplest } from './decide.js';
