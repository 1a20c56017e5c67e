import { children, type Formula, mapChildren } from '../../languages/logic/index.js';

/** A part of a formula at one of its places. */
export interface Occurrence {
  readonly part: Formula;
  /** 1 if the whole formula can only become weaker when the part does, -1 if only stronger, 0 if it may be either. */
  readonly polarity: -1 | 0 | 1;
  /** The whole formula with another one in this place. */
  readonly replaced: (by: Formula) => Formula;
}

/** A formula as a part of itself. */
export function wholeOf(formula: Formula): Occurrence {
  return { part: formula, polarity: 1, replaced: (by) => by };
}

/** The occurrences of the direct parts of a part, from left to right. */
export function occurrencesIn({ part, polarity, replaced }: Occurrence): Occurrence[] {
  return children(part).map((child, i) => ({
    part: child,
    polarity: (polarity * signOf(part, i)) as Occurrence['polarity'],
    replaced: (by) => replaced(withChild(part, i, by)),
  }));
}

/** How a formula depends on its direct part i. */
function signOf(formula: Formula, i: number): number {
  switch (formula.kind) {
    case 'not':
      return -1;
    case 'implies':
      return i === 0 ? -1 : 1;
    case 'iff':
    case 'probability':
      return 0;
    case 'count':
      return { '<': -1, '<=': -1, '=': 0, '>=': 1, '>': 1 }[formula.operator];
    case 'binary':
      // `a W>=1 b` holds where neither holds at step 0: what lies before the window may make the rule true by being false.
      return formula.operator === 'W' && i === 0 && Number(formula.window?.from ?? 0) > 0 ? 0 : 1;
    default:
      return 1;
  }
}

function withChild(formula: Formula, place: number, by: Formula): Formula {
  let i = 0;
  return mapChildren(formula, (child) => (i++ === place ? by : child));
}
