import { type Formula, isBoolean, mapChildren, printFormula } from '../../logic/index.js';
import { predicate } from '../core/index.js';

/** A formula whose parts without time are predicates named "0", "1", … */
export interface Skeleton {
  readonly formula: Formula;
  /** What each of these predicates stands for; none begins with a negation. */
  readonly atoms: readonly Formula[];
}

/**
 * Which parts become one predicate: `predicates`, the smallest; `conditions`, those joined by "and" and "or"; `all`, the largest. Whatever is equivalent for any
 * meaning of these predicates is so for the one that they have.
 */
export const GRAINS = ['predicates', 'conditions', 'all'] as const;

/** The skeleton of a formula. */
export function skeletonOf(formula: Formula, grain: (typeof GRAINS)[number]): Skeleton {
  const atoms: Formula[] = [];
  const numbers = new Map<string, number>();
  const isAtom = (part: Formula): boolean => {
    if (part.kind === 'predicate' || part.kind === 'comparison') return true;
    if (grain === 'predicates' || !isBoolean(part)) return false;
    return grain === 'all' || part.kind === 'and' || part.kind === 'or';
  };
  const of = (part: Formula): Formula => {
    if (part.kind === 'constant') return part;
    if (part.kind === 'not' || !isAtom(part)) return mapChildren(part, of);
    const text = printFormula(part);
    let number = numbers.get(text);
    if (number === undefined) {
      number = atoms.push(part) - 1;
      numbers.set(text, number);
    }
    return predicate(String(number));
  };
  return { formula: of(formula), atoms };
}
