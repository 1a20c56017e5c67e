export { type Z3Options, z3 } from './z3.js';
