export { sayFormula } from './sayFormula.js';
