export { Abstraction } from './abstraction.js';
export type { AbstractionDefinition, ConstraintDefinitions, PredicateDefinition } from './definition.js';
export { ValuationTable } from './valuationTable.js';
