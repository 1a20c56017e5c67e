export { checkExpression, checkPredicate } from './check.js';
export type { EvaluationContext } from './closure.js';
export { type ComparedLiteral, type ComparedText, comparedLiterals, comparedTexts } from './comparedTexts.js';
export { compileCondition, compileExpression, type Evaluate } from './compile.js';
export { compileConstraint, evaluatePartially, type PartialEvaluate, type Trilean } from './constraint.js';
export {
  type ArithmeticOperator,
  callsFunction,
  children,
  type Expression,
  type ExpressionNode,
  type FreePath,
  freeNames,
  freePaths,
  type MacroName,
  type NodeOf,
  type Place,
  type RelationalOperator,
  usesMatches,
  usesTexts,
} from './expression.js';
export { FUNCTIONS, type FunctionName, isTextFunction, type TextFunctionName } from './functions.js';
export { isTruth } from './isTruth.js';
export { loadTextOperations } from './loadTextOperations.js';
export { parseExpression } from './parser.js';
export { pathsAsked, pathsRead } from './pathsRead.js';
export { compilePredicate, parsePredicate } from './predicate.js';
export { printExpression } from './print.js';
export { loadRegexEngine } from './regex.js';
export type { FieldsSchema, Schema } from './schema.js';
export {
  SQL_DIALECTS,
  type SqlDialect,
  type SqlDialectName,
  type SqlRow,
  type SqlScalar,
  type SqlValue,
  sqlDialect,
  sqlNothing,
  sqlScalar,
  translateCondition,
} from './sql/index.js';
export { GLOB_EXPECTED, isGlob, TEXT_OPERATIONS } from './texts/index.js';
export { type ExpressionTree, expressionTree, readExpressionTree } from './tree.js';
export type { Fields } from './values.js';
