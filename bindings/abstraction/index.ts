export { Abstraction, checkPredicateName } from './abstraction.js';
export { ActionAbstraction } from './actionAbstraction.js';
export { checkConstraint } from './constraint.js';
export type {
  AbstractionDefinition,
  ActionDefinition,
  ConstraintDefinitions,
  PredicateDefinition,
} from './definition.js';
export { fromConditions, type GeneratedRule } from './fromConditions.js';
export { fromTask } from './fromTask.js';
export { requireNoAction } from './requireNoAction.js';
export { ValuationTable } from './valuationTable.js';
