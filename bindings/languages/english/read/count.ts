import type { Formula } from '../../logic/index.js';
import { and, not, unary } from '../core/index.js';

/** There are at least `n` stretches of steps at which it holds, with steps at which it does not between them. */
export function stretches(of: Formula, n: number): Formula {
  const last = unary('F', of);
  let formula = last;
  for (let i = 1; i < n; i++) formula = unary('F', and(of, unary('F', and(not(of), formula))));
  return formula;
}

/** There are at least `n` steps at which it holds. */
export function stepsWith(of: Formula, n: number): Formula {
  let formula = unary('F', of);
  for (let i = 1; i < n; i++) formula = unary('F', and(of, unary('X', formula)));
  return formula;
}
