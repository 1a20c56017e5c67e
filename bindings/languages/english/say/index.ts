export { sayClause } from './sayClause.js';
export { sayFormula } from './sayFormula.js';
