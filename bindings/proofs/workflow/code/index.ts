export { type LowerOptions, lower } from './lower.js';
