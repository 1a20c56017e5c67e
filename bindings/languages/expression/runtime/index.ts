// The evaluation of expressions that have been parsed and checked: the part of this folder that guards need at run time.
export type { Cell, EvaluationContext } from '../closure.js';
export { compileCondition, compileOnCells, type Evaluate } from '../compile.js';
export { compileConstraint, type PartialEvaluate } from '../constraint.js';
export { type Expression, freeNames, freePaths, usesMatches, usesTexts } from '../expression.js';
export { loadTextOperations } from '../loadTextOperations.js';
export { loadRegexEngine } from '../regex.js';
export { type ExpressionTree, readExpressionTree } from '../tree.js';
