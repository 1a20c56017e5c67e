export type * from './plan.js';
export { type Ended, type Given, interpret, type Wanted } from './interpret.js';
