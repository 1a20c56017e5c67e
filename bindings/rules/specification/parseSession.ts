import type { Node } from 'yaml';
import {
  children,
  deriveAbstraction,
  type Formula,
  parseFormula,
  predicatesOf,
  windowInSteps,
} from '../../languages/logic/index.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import type { SpecificationDocument } from './document.js';
import type { SessionProperty } from './policies.js';

/**
 * Reads `session`: formulas over the calls of a session, which the policies are to ensure together. Comparisons in them become predicates of their own.
 *
 * @param predicates those of the specification, which formulas may name
 */
export function parseSession(
  document: SpecificationDocument,
  node: Node | null,
  predicates: readonly PredicateDefinition[],
): SessionProperty[] {
  const written = [...document.entries(node, 'session')].flatMap(([name, { key, value }]) => {
    const what = `session "${name}"`;
    const formulaText = document.text(value, what);
    if (formulaText === undefined) return [];
    const formula = document.attempt(value, () => {
      const parsed = parseFormula(formulaText, { name: what });
      requireSteps(parsed);
      return parsed;
    });
    if (formula === undefined) return [];
    if (asksProbability(formula)) {
      document.problem(
        value,
        `${what} is a bound on a probability; policies ensure what always holds`,
        'G !broken',
      );
      return [];
    }
    return [{ name, formula, formulaText, line: document.lineOf(key), value }];
  });
  const { predicates: derived, formulas } = deriveAbstraction(
    written.map(({ formula }) => formula),
    predicates,
  );
  const known = [...predicates, ...derived];
  return written.map(({ name, formulaText, line, value }, i) => {
    const read = predicatesOf(formulas[i]);
    for (const one of read)
      if (!known.some((predicate) => predicate.name === one))
        document.problem(
          value,
          `session "${name}" speaks of "${one}", which is not a predicate; name it under predicates, or write a comparison, as action.name == "${one}"`,
        );
    return {
      name,
      formula: formulas[i],
      formulaText,
      predicates: known.filter((predicate) => read.includes(predicate.name)),
      line,
    };
  });
}

/** @throws InvalidArgumentError on a window in units of time: calls have none that policies could see */
function requireSteps(formula: Formula): void {
  if ('window' in formula) windowInSteps(formula.window, undefined);
  for (const part of children(formula)) requireSteps(part);
}

function asksProbability(formula: Formula): boolean {
  return formula.kind === 'probability' || children(formula).some(asksProbability);
}
