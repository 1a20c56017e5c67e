export { combineExactly } from './combineExactly.js';
export { type ConditionOf, compileCondition, compileNumber, type NumberOf } from './compile.js';
export type { ConstantDeclaration, FormulaDeclaration, LabelDeclaration } from './declarations.js';
export { evaluateExactly } from './evaluateExactly.js';
export type {
  BinaryOperator,
  BuiltIn,
  ComparisonSymbol,
  FilterOperator,
  PrismExpression,
  PrismType,
  PropertyOperator,
  Question,
  RewardPath,
  StateExpression,
  StepBound,
  TemporalExpression,
} from './expression.js';
export { filterOperators } from './expression.js';
export { mapNames } from './mapNames.js';
export { parsePrismExpression, prismKeywords, readExpression } from './parseExpression.js';
export {
  type InvalidProperty,
  type Property,
  type PropertyFile,
  parseProperties,
} from './parseProperties.js';
export { namesIn, partsOf } from './partsOf.js';
export { printPrismExpression } from './printExpression.js';
export { readConstant, readFormulaDeclaration, readLabel, readNewName } from './readDeclarations.js';
export { PrismReader } from './reader.js';
export {
  evaluateConstant,
  type GivenConstants,
  refuseUndeclared,
  resolveConstants,
  withoutValue,
} from './resolveConstants.js';
export { type ConstantValue, noVariables, type Scope, type VariableSlot } from './scope.js';
export { excerptAt } from './token.js';
export { expressionError, typeOf, unknownName } from './typeOf.js';
export { isIntegerPower, isPartial, UndefinedTermError } from './undefinedTerm.js';
