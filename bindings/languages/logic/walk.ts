import type { Formula, TemporalBinary, TemporalUnary } from './formula.js';

/** The direct parts of a formula, from left to right. */
export function children(formula: Formula): readonly Formula[] {
  switch (formula.kind) {
    case 'constant':
    case 'predicate':
    case 'comparison':
      return [];
    case 'not':
    case 'unary':
    case 'count':
      return [formula.operand];
    case 'probability':
      return [formula.path];
    default:
      return [formula.left, formula.right];
  }
}

/** Returns the formula with `replace` applied to every direct part. */
export function mapChildren(formula: Formula, replace: (part: Formula) => Formula): Formula {
  switch (formula.kind) {
    case 'constant':
    case 'predicate':
    case 'comparison':
      return formula;
    case 'not':
    case 'unary':
    case 'count':
      return { ...formula, operand: replace(formula.operand) };
    case 'probability':
      return { ...formula, path: replace(formula.path) };
    default:
      return { ...formula, left: replace(formula.left), right: replace(formula.right) };
  }
}

/** Names of the predicates a formula reads, each once, in order of appearance. */
export function predicatesOf(formula: Formula): string[] {
  const names = new Set<string>();
  const visit = (part: Formula): void => {
    if (part.kind === 'predicate') names.add(part.name);
    children(part).forEach(visit);
  };
  visit(formula);
  return [...names];
}

/** Whether a formula has a truth value at a single position: no temporal operator, no count, no probability. */
export function isBoolean(formula: Formula): boolean {
  switch (formula.kind) {
    case 'unary':
    case 'binary':
    case 'count':
    case 'probability':
      return false;
    default:
      return children(formula).every(isBoolean);
  }
}

const PAST: ReadonlySet<string> = new Set(['Y', 'WY', 'O', 'H', 'S'] satisfies (
  | TemporalUnary
  | TemporalBinary
)[]);

/** Whether a formula's truth at a position is known once the position has been read: no operator of the future, no probability. */
export function isOfPast(formula: Formula): boolean {
  if (formula.kind === 'probability') return false;
  if ((formula.kind === 'unary' || formula.kind === 'binary') && !PAST.has(formula.operator)) return false;
  return children(formula).every(isOfPast);
}
