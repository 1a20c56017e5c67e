import type { Formula } from '../../logic/index.js';
import type { FretScope } from './cell.js';
import { and, not, unary } from './trees.js';

/**
 * Where the intervals of a scope begin and end, as formulas that hold at the first and last step of an interval. A scope that begins with "only" speaks of the
 * complement: what it says must not happen there.
 */
export interface Endpoints {
  /** Of the past. Null: intervals begin at the first step of the run only. */
  readonly start: Formula | null;
  /** Of the future; false at the last step of the run, which ends every interval. Null: nothing else ends one. */
  readonly end: Formula | null;
}

export function endpointsOf(scope: FretScope, mode: Formula): Endpoints {
  const outside = not(mode);
  switch (scope) {
    case 'null':
      return { start: null, end: null };
    case 'before':
      return { start: null, end: unary('X', mode) };
    case 'in':
      return { start: begins(mode), end: leaves(mode) };
    case 'notin':
    case 'onlyIn':
      return { start: begins(outside), end: leaves(outside) };
    case 'after':
      return { start: first(hasLeft(mode)), end: null };
    case 'onlyBefore':
      return { start: first(mode), end: null };
    case 'onlyAfter':
      return { start: null, end: leaves(mode) };
  }
}

/** It holds now and did not at the step before, if there was one. */
function begins(mode: Formula): Formula {
  return and(mode, unary('WY', not(mode)));
}

/** It holds now and not at the next step, which exists. */
export function leaves(mode: Formula): Formula {
  return and(mode, unary('X', not(mode)));
}

/** It held at the step before and does not now. */
export function hasLeft(mode: Formula): Formula {
  return and(not(mode), unary('Y', mode));
}

/** It holds for the first time. */
export function first(event: Formula): Formula {
  return and(event, unary('WY', unary('H', not(event))));
}
