import type { PrismExpression, StepBound } from '../../../languages/logic/index.js';
import { BitSet } from '../../kernel/index.js';
import type { PathEvent } from '../pathEvent.js';
import { isAboutPaths } from './parts.js';
import { and, mayHold, not, type TruthValues, truth } from './stateValues.js';

/** `remain U[from,to] target`, or with `negated` all other paths, over sets that may have open members. */
export interface EventFormula {
  readonly remain: TruthValues;
  readonly target: TruthValues;
  readonly from: number;
  readonly to: number | null;
  readonly negated: boolean;
}

/** The steps at which a temporal operator is evaluated. */
export interface Steps {
  readonly from: number;
  readonly to: number | null;
}

/** Evaluates the parts of a path formula: the truth of its state formulas, and the numbers in bounds. */
export interface PathReader {
  truthOf(expression: PrismExpression): TruthValues;
  stepsOf(bound: StepBound | null): Steps;
}

/**
 * A path formula with at most one temporal operator as an event; undefined for others. As in PRISM, `F a` is `true U a`, `X a`
 * is `true U[1,1] a`, `G a` is not `F !a`, `a W b` is not `(a & !b) U (!a & !b)`, `a R b` is not `!a U !b`.
 */
export function eventFormula(path: PrismExpression, reader: PathReader): EventFormula | undefined {
  if (!isAboutPaths(path)) {
    const target = reader.truthOf(path);
    return { remain: everywhere(target), target, from: 0, to: 0, negated: false };
  }
  switch (path.kind) {
    case 'not': {
      const inner = eventFormula(path.operand, reader);
      return inner && { ...inner, negated: !inner.negated };
    }
    case 'temporal': {
      if (isAboutPaths(path.operand)) return undefined;
      const operand = reader.truthOf(path.operand);
      const remain = everywhere(operand);
      if (path.operator === 'X') return { remain, target: operand, from: 1, to: 1, negated: false };
      const event = {
        F: { target: operand, negated: false },
        G: { target: not(operand), negated: true },
      }[path.operator];
      return { remain, ...event, ...reader.stepsOf(path.bound) };
    }
    case 'until': {
      if (isAboutPaths(path.left) || isAboutPaths(path.right)) return undefined;
      const [left, right] = [reader.truthOf(path.left), reader.truthOf(path.right)];
      const steps = reader.stepsOf(path.bound);
      const event = {
        U: { remain: left, target: right, negated: false },
        W: { remain: and(left, not(right)), target: and(not(left), not(right)), negated: true },
        R: { remain: not(left), target: not(right), negated: true },
      }[path.operator];
      return { ...event, ...steps };
    }
    default:
      return undefined;
  }
}

function everywhere({ holds }: TruthValues): TruthValues {
  return truth(BitSet.full(holds.size));
}

/**
 * The least or the greatest event that a formula's open states leave possible: more states in either set never make an until
 * less likely.
 */
export function extremeEvent(
  { remain, target, ...rest }: EventFormula,
  which: 'least' | 'greatest',
): PathEvent {
  const generous = (which === 'greatest') !== rest.negated;
  const states = (values: TruthValues): BitSet => (generous ? mayHold(values) : values.holds);
  return { remain: states(remain), target: states(target), ...rest };
}

/**
 * The steps that a bound allows.
 *
 * @param numberOf gives the value of a constant expression
 * @param wrong makes the error for a bound that is not a number of steps, or is never met
 */
export function stepsOfBound(
  bound: StepBound | null,
  numberOf: (expression: PrismExpression) => number,
  wrong: (at: PrismExpression, message: string, expected: string) => Error,
): Steps {
  const whole = (expression: PrismExpression, more: number): number => {
    const value = numberOf(expression) + more;
    if (Number.isSafeInteger(value) && value >= 0) return value;
    throw wrong(expression, `a bound of ${value} steps`, 'a whole number, at least 0: time is discrete');
  };
  const from = bound?.lower ? whole(bound.lower, Number(bound.lowerStrict)) : 0;
  const to = bound?.upper ? whole(bound.upper, -Number(bound.upperStrict)) : null;
  if (bound?.upper && to !== null && to < from) {
    throw wrong(
      bound.upper,
      `no step is from ${from} on and at most ${to}`,
      'an end that is not before the start',
    );
  }
  return { from, to };
}
