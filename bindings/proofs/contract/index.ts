export { boundValues } from './boundValues.js';
export type {
  ArgumentContract,
  CallEvent,
  Condition,
  Contracts,
  Effect,
  ExplicitAutomaton,
  FlowRule,
  OrderRule,
  ReaderTerm,
  ResultContract,
  ResultPart,
  Store,
  ToolContract,
} from './contract.js';
export { describeType } from './describeType.js';
export { draftContracts } from './draft.js';
export { fits, misfitText, placeOf, type TypeMisfit } from './fits.js';
export { flatExpression, flatTypes } from './flatRecords.js';
export { sinksOfRule, sourcesOf } from './flowReader.js';
export { isOfFormat, languageOfDomains, languageOfFormat } from './formats.js';
export { expressionSchema, inputOf, inputsOf } from './inputsOf.js';
export { either, schemaOfType, typeOfSchema } from './jsonSchema.js';
export { type ReadContractsOptions, readContracts } from './readContracts.js';
export { alwaysHolds, factsOf, neverHold, type Typed } from './satisfiable.js';
export { isSubtype } from './subtype.js';
export { checkPins, type ListedTool, type PinDifference, readToolList, toolPin } from './toolList.js';
export {
  argumentsMisfit,
  type BrokenCall,
  ContractTrial,
  type TrialCount,
  type TrialReport,
} from './trial.js';
export { undeclared, undeclaredArgument } from './undeclared.js';
export type { FieldType, TextFormat, TextType, ValueType } from './valueType.js';
