export { Abstraction } from './abstraction.js';
export type { AbstractionDefinition, ConstraintDefinitions, PredicateDefinition } from './definition.js';
export { fromConditions, type GeneratedRule } from './fromConditions.js';
export { fromTask } from './fromTask.js';
export { ValuationTable } from './valuationTable.js';
