export { Abstraction } from './abstraction.js';
export { type AbstractCall, ActionAbstraction, abstractCall, plainName } from './actionAbstraction.js';
export { TransitionConstraint, ValuationConstraint } from './constraint.js';
export type {
  AbstractionDefinition,
  ActionDefinition,
  ConstraintDefinitions,
  PredicateDefinition,
} from './definition.js';
export { Encoding, type EncodingExpressions } from './encoding.js';
export { fromConditions, type GeneratedRule } from './fromConditions.js';
export { fromTask } from './fromTask.js';
export { checkConstraint, parseConstraint } from './parseConstraint.js';
export { checkPredicateName } from './predicateName.js';
export { fieldsRead, readsAction, requireNoAction } from './predicateReads.js';
export {
  adviceOnAbsent,
  DECLARE_UNMEASURED,
  notRecordedField,
  Readability,
  type Unread,
} from './readability.js';
export { argumentsRead, toolsNamed, toolsProposed } from './toolsNamed.js';
export { ValuationTable } from './valuationTable.js';
