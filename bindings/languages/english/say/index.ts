export { sayClause, sayFormula } from './sayFormula.js';
