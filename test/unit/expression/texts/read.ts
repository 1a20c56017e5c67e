import { compileExpression, parseExpression } from '../../../../bindings/languages/expression/index.js';

/** What an expression gives where it has no value. */
export const UNREADABLE = 'unreadable';

/** The value of an expression in a state, or `UNREADABLE`. Any other error than one of evaluation is thrown. */
export function read(expression: string, state: Record<string, unknown>): unknown {
  const evaluate = compileExpression(parseExpression(expression));
  try {
    return evaluate(state, {});
  } catch (error) {
    if ((error as Error).name !== 'EvaluationError') throw error;
    return UNREADABLE;
  }
}
