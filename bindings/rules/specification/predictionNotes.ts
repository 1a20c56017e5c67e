import { callsFunction, freeNames, freePaths, parseExpression } from '../../languages/expression/index.js';
import { predicatesOf } from '../../languages/logic/index.js';
import { allPredicates } from './exactRules.js';
import type { Specification } from './specification.js';

/** A rule of which no risk is predicted, or none that is worth its name, and why. */
export interface PredictionNote {
  readonly rule: string;
  /** In words, with the rule's name, and what to write instead if something can be. */
  readonly message: string;
}

/**
 * Says of which rules no risk is predicted: of exact rules, as declared; and of which the risk is not that of what they say: their predicates read sums over the
 * history of calls, or windows of it in real time. A model records whether they held, and not how far they are from their bounds.
 */
export function predictionNotes(specification: Specification): PredictionNote[] {
  const found = allPredicates(specification).flatMap(({ name, expression }) => {
    const what = quantityOf(expression);
    return what === null ? [] : [[name, what] as const];
  });
  const quantities = new Map(found);
  return specification.rules.flatMap(({ name, exact, formula }) => {
    const predicate = predicatesOf(formula).find((one) => quantities.has(one));
    const reads =
      predicate === undefined ? '' : `predicate "${predicate}" reads ${quantities.get(predicate)} of calls`;
    if (exact) {
      const why = reads === '' ? '' : `; ${reads}, which is kept exactly`;
      return {
        rule: name,
        message: `rule "${name}" is exact: it is enforced by its automaton, and no risk of it is predicted${why}`,
      };
    }
    if (reads === '') return [];
    return {
      rule: name,
      message: `rule "${name}": ${reads}, and a model knows only whether it held, not how far it is from its bound: the risk is not that of the rule; write exact: true, without a threshold, to enforce it exactly, and beside it a rule with a threshold on what is counted (G count(p) <= k), of which a risk is predicted`,
    };
  });
}

/** The quantity in real time, or the sum, that an expression reads over the history; null if it reads none. */
function quantityOf(source: string): string | null {
  const expression = parseExpression(source);
  if (!freeNames(expression).includes('history')) return null;
  if (callsFunction(expression, 'sum')) return 'a sum over the history';
  const readsTime = freePaths(expression).some(({ path }) => path === 'time') || /\.\s*time\b/.test(source);
  return readsTime ? 'a window of the history in real time' : null;
}
