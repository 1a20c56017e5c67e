// What evaluates expressions that have been parsed and checked: all that guards need of this folder at run time.
export type { EvaluationContext } from '../closure.js';
export { compileCondition, type Evaluate } from '../compile.js';
export { compileConstraint, type PartialEvaluate } from '../constraint.js';
export { type Expression, freeNames, freePaths, usesMatches } from '../expression.js';
export { loadRegexEngine } from '../regex.js';
export { type ExpressionTree, readExpressionTree } from '../tree.js';
