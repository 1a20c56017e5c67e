import type { Formula, Window } from '../../logic/index.js';
import {
  and,
  binary,
  type Endpoints,
  firstStep,
  implies,
  lastStep,
  not,
  or,
  steps,
  unary,
} from '../core/index.js';

/** FRET's predicates about earlier and later steps of the interval of the scope: those that count steps, and those that do not. */
export const counting: ReadonlySet<string> = new Set(['persisted', 'occurred', 'persists', 'occurs']);
export const ofTwo: ReadonlySet<string> = new Set(['prevocc', 'nextocc', 'prebool']);

/** `persisted(from, to, p)` and its kin; `from` is 0 if one number is given. @source FRET 3.1, temporal conditions */
export function countingPredicate(
  name: string,
  from: number,
  to: number,
  operand: Formula,
  ends: Endpoints,
): Formula {
  const start = ends.start ?? firstStep();
  const end = endOf(ends);
  const window: Window = steps(from, to);
  const inInterval = (operator: 'H' | 'G', edge: Formula): Formula => {
    const held = unary(operator, operand, window);
    return to === 0 ? held : and(held, unary(operator, not(edge), steps(0, to - 1)));
  };
  switch (name) {
    case 'persisted':
      return inInterval('H', start);
    case 'persists':
      return inInterval('G', end);
    case 'occurred':
      return binary('S', not(start), operand, window);
    default:
      return binary('U', not(end), operand, window);
  }
}

/** `prevOcc(p, q)`, `nextOcc(p, q)`, and `preBool(init, p)`. */
export function predicateOfTwo(name: string, first: Formula, second: Formula, ends: Endpoints): Formula {
  if (name === 'prebool') return or(unary('Y', second), and(firstStep(), first));
  const past = name === 'prevocc';
  const edge = past ? (ends.start ?? firstStep()) : endOf(ends);
  const operator = past ? 'S' : 'U';
  const passed = and(not(edge), not(first));
  const there = implies(binary(operator, passed, first), binary(operator, passed, and(first, second)));
  return or(edge, unary(past ? 'Y' : 'X', there));
}

function endOf({ end }: Endpoints): Formula {
  return end === null ? lastStep() : or(end, lastStep());
}
