export { type FretishRequirement, readFretish } from './readFretish.js';
