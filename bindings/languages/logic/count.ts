import type { CountOperator, Formula } from './formula.js';

/** A comparison of a count with a whole number. */
export type Count = Extract<Formula, { kind: 'count' }>;

/** The counts that satisfy a comparison: those from `least` to `most`. Null means no upper bound; if `most` is below `least`, there are none. */
export function allowedCounts({ operator, times }: Pick<Count, 'operator' | 'times'>): {
  readonly least: number;
  readonly most: number | null;
} {
  return {
    '<': { least: 0, most: times - 1 },
    '<=': { least: 0, most: times },
    '=': { least: times, most: times },
    '>=': { least: times, most: null },
    '>': { least: times + 1, most: null },
  }[operator];
}

/** The comparison that holds exactly where the given one does not; null for `=`, of which the negation is no single comparison. */
export function oppositeOf(operator: CountOperator): CountOperator | null {
  return ({ '<': '>=', '<=': '>', '=': null, '>=': '<', '>': '<=' } as const)[operator];
}
