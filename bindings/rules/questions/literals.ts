import type { Formula } from '../../languages/logic/index.js';
import type { Reading } from './beliefs.js';

const place = { offset: 0, line: 1, column: 1 };

export const TRUE: Formula = { kind: 'constant', value: true, place };

export function not(operand: Formula): Formula {
  return { kind: 'not', operand, place };
}

export function all(parts: readonly Formula[]): Formula {
  return parts.length === 0 ? TRUE : parts.reduce((left, right) => ({ kind: 'and', left, right, place }));
}

export function literal(name: string, holds: boolean): Formula {
  const predicate: Formula = { kind: 'predicate', name, place };
  return holds ? predicate : not(predicate);
}

export function eventually(operand: Formula): Formula {
  return { kind: 'unary', operator: 'F', operand, window: null, place };
}

/** That a step is the last of its run. */
const LAST: Formula = { kind: 'unary', operator: 'WX', operand: not(TRUE), window: null, place };

/** That something holds at the last step of a run. */
export function atLast(operand: Formula): Formula {
  return eventually(all([operand, LAST]));
}

/** That something holds at no step of a run but the last. */
export function onlyAtLast(operand: Formula): Formula {
  const either: Formula = { kind: 'or', left: not(operand), right: LAST, place };
  return { kind: 'unary', operator: 'G', operand: either, window: null, place };
}

/** What is known of a step, of the predicates that are read. */
export function literalsOf(
  { valuation, known }: Reading,
  predicates: readonly string[],
  read: ReadonlySet<string>,
): Formula[] {
  return predicates.flatMap((name, i) => {
    const bit = 1 << (i & 31);
    if ((known[i >>> 5] & bit) === 0 || !read.has(name)) return [];
    return [literal(name, (valuation[i >>> 5] & bit) !== 0)];
  });
}
