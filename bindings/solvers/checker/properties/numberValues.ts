import { Rational } from '../../../base/rational.js';
import { type BinaryOperator, type BuiltIn, combineExactly } from '../../../languages/logic/index.js';
import { BitSet } from '../../kernel/index.js';
import { bracket } from '../exact/index.js';
import { type ArithmeticOperator, combine, type Range } from './arithmetic.js';
import { type NumberValues, type Obtained, type TruthValues, together, truth } from './stateValues.js';

export type Comparison = Extract<BinaryOperator, '=' | '!=' | '<' | '<=' | '>' | '>='>;

/** Integer values, one per state. */
export function integers(values: Float64Array, obtained: Obtained): NumberValues {
  return {
    type: 'int',
    lower: values,
    upper: values,
    exactAt: (s) => Rational.fromDouble(values[s]),
    ...obtained,
  };
}

/** One number in all states. */
export function everywhere(
  states: number,
  { lower, upper }: Range,
  type: NumberValues['type'],
  obtained: Obtained,
  exact?: Rational,
): NumberValues {
  const low = new Float64Array(states).fill(lower);
  const high = lower === upper ? low : new Float64Array(states).fill(upper);
  return { type, lower: low, upper: high, ...obtained, ...(exact && { exactAt: () => exact }) };
}

/** One fraction in all states. */
export function fraction(
  states: number,
  exact: Rational,
  type: NumberValues['type'],
  obtained: Obtained,
): NumberValues {
  return everywhere(states, bracket(exact), type, obtained, exact);
}

/** Applies a binary operator state by state; unary functions take their operand twice. */
export function calculate(
  operator: ArithmeticOperator | BuiltIn,
  a: NumberValues,
  b: NumberValues,
  type: NumberValues['type'],
): NumberValues {
  const states = a.lower.length;
  const lower = new Float64Array(states);
  const upper = new Float64Array(states);
  for (let s = 0; s < states; s++) {
    const range = combine(operator, rangeAt(a, s), rangeAt(b, s));
    lower[s] = range.lower;
    upper[s] = range.upper;
  }
  const [left, right] = [a.exactAt, b.exactAt];
  return {
    type,
    lower,
    upper,
    estimate: estimated(operator, a, b),
    ...together(a, b),
    exactAt:
      left &&
      right &&
      ((s) => {
        const [x, y] = [left(s), right(s)];
        return x && y && combineExactly(operator, x, y);
      }),
  };
}

/** Applies a binary operator to operands of which at least one is an estimate. */
function estimated(
  operator: ArithmeticOperator | BuiltIn,
  a: NumberValues,
  b: NumberValues,
): Float64Array | undefined {
  if (a.estimate === undefined && b.estimate === undefined) return undefined;
  return a.lower.map((_, s) => {
    const [x, y] = [pointAt(a, s), pointAt(b, s)];
    return inside(combine(operator, { lower: x, upper: x }, { lower: y, upper: y }));
  });
}

/** A single number for the value of a state: its estimate, or a point within its bounds. */
export function pointAt(values: NumberValues, s: number): number {
  return values.estimate?.[s] ?? inside(rangeAt(values, s));
}

/** A point within bounds; the middle if both are finite. */
export function inside({ lower, upper }: Range): number {
  if (lower === upper) return lower;
  if (lower === Number.NEGATIVE_INFINITY) return Number.isFinite(upper) ? upper : 0;
  if (upper === Number.POSITIVE_INFINITY) return lower;
  return Math.min(upper, Math.max(lower, lower + (upper - lower) / 2));
}

export function negate(operand: NumberValues): NumberValues {
  const { exactAt } = operand;
  return {
    ...operand,
    lower: operand.upper.map((value) => 0 - value),
    upper: operand.lower.map((value) => 0 - value),
    estimate: operand.estimate?.map((value) => -value),
    exactAt: exactAt && ((s) => exactAt(s)?.negated()),
  };
}

/** `whenTrue` if the condition holds in a state, else `whenFalse`; if it is open, bounds of both. */
export function choose(
  condition: TruthValues,
  whenTrue: NumberValues,
  whenFalse: NumberValues,
): NumberValues {
  const { holds, open } = condition;
  const pick = (of: (values: NumberValues) => Float64Array, outer: (a: number, b: number) => number) =>
    Float64Array.from({ length: holds.size }, (_, s) => {
      const [a, b] = [of(whenTrue)[s], of(whenFalse)[s]];
      return open.has(s) ? outer(a, b) : holds.has(s) ? a : b;
    });
  return {
    type: whenTrue.type === 'int' && whenFalse.type === 'int' ? 'int' : 'double',
    lower: pick(({ lower }) => lower, Math.min),
    upper: pick(({ upper }) => upper, Math.max),
    estimate:
      whenTrue.estimate || whenFalse.estimate
        ? whenTrue.lower.map((_, s) => pointAt(holds.has(s) ? whenTrue : whenFalse, s))
        : undefined,
    ...together(condition, whenTrue, whenFalse),
    exactAt: (s) => (open.has(s) ? undefined : (holds.has(s) ? whenTrue : whenFalse).exactAt?.(s)),
  };
}

/** Three-valued comparison, state by state. */
export function compareValues(operator: Comparison, a: NumberValues, b: NumberValues): TruthValues {
  const states = a.lower.length;
  const holds = new BitSet(states);
  const open = new BitSet(states);
  const obtained = together(a, b);
  let first: number | undefined;
  for (let s = 0; s < states; s++) {
    const verdict = compareAt(operator, a, b, s);
    if (verdict === undefined) {
      open.add(s);
      first ??= s;
    } else if (verdict) holds.add(s);
  }
  if (first === undefined) return truth(holds, obtained, open);
  const { lower, upper } = combine('-', rangeAt(a, first), rangeAt(b, first));
  const final = obtained.accuracy === 'estimated';
  const why = final ? promisesNothing(obtained) : 'ask for more precision';
  return truth(holds, { ...obtained, doubt: obtained.doubt ?? { lower, upper, why, final } }, open);
}

export function promisesNothing({ method }: Obtained): string {
  return `method '${method}' promises nothing; use another`;
}

function compareAt(operator: Comparison, a: NumberValues, b: NumberValues, s: number): boolean | undefined {
  const verdict = compareRanges(operator, rangeAt(a, s), rangeAt(b, s));
  if (verdict !== undefined) return verdict;
  const [x, y] = [a.exactAt?.(s), b.exactAt?.(s)];
  return x && y && comparesTo(operator, x.compare(y));
}

/** Whether a comparison holds for all numbers within the bounds (true), for none (false), or for some (undefined). */
export function compareRanges(operator: Comparison, a: Range, b: Range): boolean | undefined {
  switch (operator) {
    case '<':
      return a.upper < b.lower ? true : a.lower >= b.upper ? false : undefined;
    case '<=':
      return a.upper <= b.lower ? true : a.lower > b.upper ? false : undefined;
    case '>':
      return compareRanges('<', b, a);
    case '>=':
      return compareRanges('<=', b, a);
    case '=':
      if (a.upper < b.lower || a.lower > b.upper) return false;
      return a.lower === a.upper && b.lower === b.upper ? true : undefined;
    case '!=': {
      const same = compareRanges('=', a, b);
      return same === undefined ? undefined : !same;
    }
  }
}

/** Whether a comparison holds for two numbers whose difference has this sign. */
function comparesTo(operator: Comparison, sign: number): boolean {
  switch (operator) {
    case '<':
      return sign < 0;
    case '<=':
      return sign <= 0;
    case '>':
      return sign > 0;
    case '>=':
      return sign >= 0;
    case '=':
      return sign === 0;
    case '!=':
      return sign !== 0;
  }
}

export function rangeAt({ lower, upper }: NumberValues, s: number): Range {
  return { lower: lower[s], upper: upper[s] };
}
