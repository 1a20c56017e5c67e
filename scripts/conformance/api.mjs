/** What the runner needs of the package, its own tests give it from the sources, the command from what was built. */
import { parseFraction } from './expectation.mjs';

/**
 * @param foreguard What the package exports
 * @param logic What its folder `logic` does
 */
export function api(foreguard, logic) {
  return {
    ...foreguard,
    resolveConstants: logic.resolveConstants,
    /** The value of an expression over constants: a fraction, a truth value, or an infinite number. */
    evaluate(text, constants) {
      const scope = {
        constants,
        formulas: new Map(),
        variables: logic.noVariables,
        text: { source: text, name: 'RESULT' },
      };
      const expression = logic.parsePrismExpression(text, { name: 'RESULT' });
      if (logic.typeOf(expression, scope) === 'bool') return logic.compileCondition(expression, scope)([]);
      const exact = exactly(() => logic.evaluateExactly(expression, scope));
      if (exact) return exact;
      const value = logic.compileNumber(expression, scope)([]);
      return Number.isFinite(value) ? parseFraction(String(value)) : value;
    },
  };
}

/** Undefined where there is no such fraction, as for 1/0. */
function exactly(evaluate) {
  try {
    return evaluate();
  } catch {
    return undefined;
  }
}
