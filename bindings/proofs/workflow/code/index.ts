export { type LowerOptions, lowerCode } from './lower.js';
