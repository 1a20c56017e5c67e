import { type Formula, oppositeOf } from '../../languages/logic/index.js';
import type { Core } from './core.js';

const place = { offset: 0, line: 1, column: 1 };

/** Writes a part as a formula, or its negation if `wanted` is false, without double negations. */
export function written(part: Core, wanted = true): Formula {
  switch (part.kind) {
    case 'boolean':
      return wanted ? part.formula : negation(part.formula);
    case 'not':
      return written(part.operand, !wanted);
    case 'and':
    case 'or': {
      const { left, right } = part;
      if ((part.kind === 'and') === wanted)
        return { kind: 'and', left: written(left, wanted), right: written(right, wanted), place };
      // `not p or q` is the stored form of an implication.
      if (wanted && left.kind === 'not')
        return { kind: 'implies', left: written(left.operand), right: written(right), place };
      return { kind: 'or', left: written(left, wanted), right: written(right, wanted), place };
    }
    case 'next':
    case 'previous': {
      const [strong, weak] = part.kind === 'next' ? (['X', 'WX'] as const) : (['Y', 'WY'] as const);
      const operand = written(part.operand, wanted);
      return { kind: 'unary', operator: wanted ? strong : weak, operand, window: null, place };
    }
    case 'count': {
      const { kind, times, window } = part;
      const operand = written(part.operand);
      const operator = wanted ? part.operator : oppositeOf(part.operator);
      if (operator !== null) return { kind, operator, times, window, operand, place };
      return negation({ kind, operator: part.operator, times, window, operand, place });
    }
    case 'until':
    case 'since': {
      const { left, right, window } = part;
      const future = part.kind === 'until';
      if (left === null) {
        const operator = future ? (wanted ? 'F' : 'G') : wanted ? 'O' : 'H';
        return { kind: 'unary', operator, operand: written(right, wanted), window, place };
      }
      if (!wanted && future) {
        const [operator, sides] = part.weak ? (['W', part.weak] as const) : (['R', { left, right }] as const);
        const same = part.weak !== null;
        return {
          kind: 'binary',
          operator,
          left: written(sides.left, same),
          right: written(sides.right, same),
          window,
          place,
        };
      }
      const whole: Formula = {
        kind: 'binary',
        operator: future ? 'U' : 'S',
        left: written(left),
        right: written(right),
        window,
        place,
      };
      return wanted ? whole : negation(whole);
    }
  }
}

function negation(formula: Formula): Formula {
  return formula.kind === 'not' ? formula.operand : { kind: 'not', operand: formula, place };
}
