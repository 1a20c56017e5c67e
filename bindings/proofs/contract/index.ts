export type * from './contract.js';
export type * from './valueType.js';
