import { InvalidArgumentError } from '../../base/errors.js';
import {
  compileExpression,
  compilePredicate,
  type EvaluationContext,
  type Expression,
  type ExpressionNode,
} from '../../languages/expression/index.js';
import { comparesCodes } from './wholeNumbers.js';

/**
 * The meaning of `==` and `!=` between numbers: `distance`; `truth`, which no small change can alter; or `whole`, a truth between
 * whole-number fields and whole constants, and a distance between others.
 */
export type Equality = 'whole' | 'distance' | 'truth';

/** An `Equality` with the whole-number fields resolved. */
export type EqualityReading = 'distance' | 'truth' | ReadonlySet<string>;

function isTruth(reading: EqualityReading, left: ExpressionNode, right: ExpressionNode): boolean {
  return reading === 'truth' || (reading !== 'distance' && comparesCodes(left, right, reading));
}

/** The signed distance of a state from violating a condition: positive inside, negative outside; NaN if a number that it reads is NaN. */
export type Margin = (state: Readonly<Record<string, unknown>>, context: EvaluationContext) => number;

/** Least and greatest value of a number. */
export type Range = readonly [lower: number, upper: number];

export const ANY: Range = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

const ORDERS = new Set(['<', '<=', '>', '>=']);

/**
 * The margin of a condition: `left - right` for `>` and `>=`, `right - left` for `<` and `<=`, `-|left - right|` for `==`, and
 * `|left - right|` for `!=`, between numbers; the smallest for `&&`, the largest for `||`, the negative for `!`. Everything else that is
 * true or false, such as fields, texts and macros, has the margin ∞ or -∞, because no change of a number alters it.
 *
 * @throws ParseError if the expression cannot be Boolean.
 */
export function compileMargin(expression: Expression, equality: EqualityReading): Margin {
  const { name } = expression;
  compilePredicate(expression);
  const compile = (node: ExpressionNode): Margin => {
    if (node.kind === 'logical') return extreme(node.operands.map(compile), node.operator === '||');
    if (node.kind === 'unary' && node.operator === '!') {
      const operand = compile(node.operand);
      return (state, context) => 0 - operand(state, context);
    }
    if (node.kind === 'conditional') {
      const [test, whenTrue, whenFalse] = [node.condition, node.whenTrue, node.whenFalse].map(compile);
      const taken = extreme([test, whenTrue], false);
      const left = extreme([(state, context) => 0 - test(state, context), whenFalse], false);
      return extreme([taken, left], true);
    }
    const holds = compilePredicate({ name, root: node });
    const truth: Margin = (state, context) =>
      holds(state, context) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    if (node.kind !== 'binary') return truth;
    const { operator } = node;
    const isOrder = ORDERS.has(operator);
    if (!isOrder && operator !== '==' && operator !== '!=') return truth;
    const left = compileExpression({ name, root: node.left });
    const right = compileExpression({ name, root: node.right });
    const asTruth = !isOrder && isTruth(equality, node.left, node.right);
    const sign = operator === '>' || operator === '>=' || operator === '!=' ? 1 : -1;
    return (state, context) => {
      const l = left(state, context);
      const r = right(state, context);
      if (typeof l !== 'number' || typeof r !== 'number') return truth(state, context);
      const distance = difference(l, r);
      if (isOrder) return sign * distance + 0;
      return asTruth ? unequal(distance, sign) : sign * Math.abs(distance) + 0;
    };
  };
  return compile(expression.root);
}

/** The difference of two numbers; equal infinities have distance 0. */
function difference(left: number, right: number): number {
  return left === right ? 0 : left - right;
}

function unequal(distance: number, sign: number): number {
  if (Number.isNaN(distance)) return distance;
  return (distance === 0 ? -sign : sign) * Number.POSITIVE_INFINITY;
}

/** The largest or smallest margin. An unavailable margin does not matter if another is infinite on the deciding side. */
function extreme(margins: readonly Margin[], largest: boolean): Margin {
  const deciding = largest ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const choose = largest ? Math.max : Math.min;
  return (state, context) => {
    let result = 0 - deciding;
    let failed = false;
    let failure: unknown;
    for (const margin of margins) {
      try {
        const value = margin(state, context);
        if (value === deciding) return deciding;
        result = choose(result, value);
      } catch (error) {
        if (!failed) failure = error;
        failed = true;
      }
    }
    if (failed) throw failure;
    return result;
  };
}

/** Bounds on a margin, from the ranges of the state's fields; a field without a range may have any value. */
export function marginRange(
  { root }: Expression,
  ranges: ReadonlyMap<string, Range>,
  equality: EqualityReading,
): Range {
  const margin = (node: ExpressionNode): Range => {
    if (node.kind === 'literal' && typeof node.value === 'boolean') {
      return node.value ? [ANY[1], ANY[1]] : [ANY[0], ANY[0]];
    }
    if (node.kind === 'logical') {
      const choose = node.operator === '||' ? Math.max : Math.min;
      return node.operands.map(margin).reduce((a, b) => [choose(a[0], b[0]), choose(a[1], b[1])]);
    }
    if (node.kind === 'unary' && node.operator === '!') {
      const [lower, upper] = margin(node.operand);
      return [0 - upper, 0 - lower];
    }
    if (node.kind !== 'binary') return ANY;
    const { operator } = node;
    const left = numberRange(node.left, ranges);
    const right = numberRange(node.right, ranges);
    const isOrder = ORDERS.has(operator);
    const asTruth = isTruth(equality, node.left, node.right);
    // If neither side is known to be a number, texts or Booleans may be compared.
    if (left === null || right === null) {
      if (isOrder || (left ?? right) === null || asTruth) return ANY;
    }
    const [a, b] = left ?? ANY;
    const [c, d] = right ?? ANY;
    const lower = difference(a, d);
    const upper = difference(b, c);
    if (operator === '>' || operator === '>=') return [lower, upper];
    if (operator === '<' || operator === '<=') return [0 - upper, 0 - lower];
    if (operator !== '==' && operator !== '!=') return ANY;
    const least = lower <= 0 && upper >= 0 ? 0 : Math.min(Math.abs(lower), Math.abs(upper));
    if (asTruth && least === 0) return ANY;
    const most = left === null || right === null || asTruth ? ANY[1] : Math.max(-lower, upper);
    const nearest = asTruth ? ANY[1] : least;
    return operator === '!=' ? [nearest, most] : [0 - most, 0 - nearest];
  };
  return margin(root);
}

/** Bounds on a number; null if it may not be a number. */
function numberRange(node: ExpressionNode, ranges: ReadonlyMap<string, Range>): Range | null {
  if (node.kind === 'literal') return typeof node.value === 'number' ? [node.value, node.value] : null;
  if (node.kind === 'name') return ranges.get(node.name) ?? null;
  if (node.kind === 'unary' && node.operator === '-') {
    const [lower, upper] = numberRange(node.operand, ranges) ?? ANY;
    return [0 - upper, 0 - lower];
  }
  if (node.kind !== 'binary') return null;
  const { operator } = node;
  if (operator !== '+' && operator !== '-' && operator !== '*' && operator !== '/') return null;
  const left = numberRange(node.left, ranges);
  const right = numberRange(node.right, ranges);
  if (left === null || right === null) return operator === '+' ? null : ANY;
  if (operator === '/' && right[0] <= 0 && right[1] >= 0) return ANY;
  // Rounding to the nearest double preserves order, so the corners bound every value between them.
  const corners = left.flatMap((l) => right.map((r) => operations[operator](l, r)));
  return corners.some(Number.isNaN) ? ANY : [Math.min(...corners), Math.max(...corners)];
}

const operations = {
  '+': (l: number, r: number) => l + r,
  '-': (l: number, r: number) => l - r,
  '*': (l: number, r: number) => l * r,
  '/': (l: number, r: number) => l / r,
};

/** @throws InvalidArgumentError if a range is invalid. */
export function checkRanges(ranges: Readonly<Record<string, Range>> | undefined): Map<string, Range> {
  const checked = new Map(Object.entries(ranges ?? {}));
  for (const [name, [lower, upper]] of checked) {
    if (!(lower <= upper)) {
      throw new InvalidArgumentError(
        `the range of "${name}" is [${lower}, ${upper}]; expected [least, greatest]`,
      );
    }
  }
  return checked;
}
