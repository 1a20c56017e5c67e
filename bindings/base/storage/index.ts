export { Generations, type Kept } from './generations.js';
export type { Storage } from './storage.js';
