export { type Answer, type Assignment, type Claim, Decider, holds } from './decide.js';
export type { ElementType, Input, Inputs, InputType } from './inputs.js';
