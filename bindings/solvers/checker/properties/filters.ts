import { UndecidedError } from '../../../base/errors.js';
import { Rational } from '../../../base/rational.js';
import {
  combineExactly,
  expressionError,
  type FilterOperator,
  type PrismExpression,
} from '../../../languages/logic/index.js';
import { BitSet } from '../../kernel/index.js';
import { combine, type Range } from './arithmetic.js';
import type { PropertyContext } from './context.js';
import { everywhere, rangeAt } from './numberValues.js';
import { firstInOrder } from './stateOrder.js';
import {
  type Doubt,
  isDecided,
  mayHold,
  type NumberValues,
  type Obtained,
  type StateValues,
  type TruthValues,
  together,
  truth,
} from './stateValues.js';

type FilterNode = Extract<PrismExpression, { kind: 'filter' }>;

/** The result of a filter over the values of some states. */
export type FilterResult = { readonly obtained: Obtained } & (
  | {
      readonly kind: 'number';
      readonly type: NumberValues['type'];
      readonly range: Range;
      readonly exact?: Rational | undefined;
      /** Present if the values are estimates. */
      readonly estimate?: number | undefined;
    }
  /** Undefined if open. */
  | { readonly kind: 'truth'; readonly value: boolean | undefined }
  | {
      readonly kind: 'range';
      readonly type: NumberValues['type'];
      readonly least: Range;
      readonly greatest: Range;
      readonly exact?: { readonly min: Rational; readonly max: Rational } | undefined;
      readonly estimate?: { readonly min: number; readonly max: number } | undefined;
    }
  | { readonly kind: 'states'; readonly states: BitSet; readonly values: StateValues }
);

/** Evaluates the values that a filter is applied to. */
export interface FilterOperands {
  value(expression: PrismExpression, relevant: BitSet): StateValues;
  truthOf(expression: PrismExpression, relevant: BitSet | undefined, what: string): TruthValues;
}

/**
 * Applies a filter, as in PRISM.
 *
 * @throws ParseError for an empty set of states, several states under `state`, or values of the wrong type
 * @throws UndecidedError if the filter's set of states is open
 */
export function filtered(
  { operator, operand, states: condition, place }: FilterNode,
  operands: FilterOperands,
  { scope, variables }: PropertyContext,
  all: number,
): FilterResult {
  const satisfying = condition === null ? BitSet.full(all) : statesOf(condition, operands);
  const wrong = (message: string, expected?: string): Error =>
    expressionError(scope, { place }, message, expected);
  const count = satisfying.count();
  if (count === 0) throw wrong('no state satisfies the condition of the filter', 'one at least');
  if (operator === 'state' && count > 1) {
    throw wrong(`${count} states satisfy the condition of the filter`, 'one, as "state" asks for its value');
  }
  const states = operator === 'first' ? BitSet.of(all, [firstInOrder(satisfying, variables)]) : satisfying;
  const values = operands.value(operand, states);
  const type = takes[operator];
  if (type !== 'any' && (type === 'bool') !== (values.type === 'bool')) {
    const found = values.type === 'bool' ? 'a Boolean' : `a number (${values.type})`;
    throw wrong(`filter "${operator}" is applied to ${found}`, type === 'bool' ? 'a Boolean' : 'a number');
  }
  return applyFilter(operator, values, states);
}

function statesOf(condition: PrismExpression, operands: FilterOperands): BitSet {
  const members = operands.truthOf(condition, undefined, 'the condition of the filter');
  if (isDecided(members)) return members.holds;
  const { lower, upper, why } = doubtOf(members);
  throw new UndecidedError(
    `which states the filter means is undecided: a number in it lies in [${lower}, ${upper}]; ${why}`,
    { lower, upper },
  );
}

/** The type of values that each filter takes. */
const takes: Readonly<Record<FilterOperator, 'number' | 'bool' | 'any'>> = {
  min: 'number',
  max: 'number',
  argmin: 'number',
  argmax: 'number',
  sum: 'number',
  avg: 'number',
  range: 'number',
  count: 'bool',
  forall: 'bool',
  exists: 'bool',
  first: 'any',
  state: 'any',
  print: 'any',
  printall: 'any',
};

/** Applies a filter to values of its type over at least one state; exactly one state under `first` and `state`. */
export function applyFilter(operator: FilterOperator, values: StateValues, states: BitSet): FilterResult {
  if (operator === 'print' || operator === 'printall') {
    return { kind: 'states', states, values, obtained: together(values) };
  }
  if (values.type === 'bool') return ofTruths(operator, values, states);
  const found = ofNumbers(operator, values, states);
  if (values.estimate === undefined) return found;
  const { estimate: points, ...rest } = values;
  return withEstimate(found, ofNumbers(operator, { ...rest, lower: points, upper: points }, states));
}

/** Adds the filter's result over estimates to its result over certain values. */
function withEstimate(found: FilterResult, estimated: FilterResult): FilterResult {
  if (found.kind === 'number' && estimated.kind === 'number') {
    return { ...found, estimate: estimated.range.lower };
  }
  if (found.kind === 'range' && estimated.kind === 'range') {
    return { ...found, estimate: { min: estimated.least.lower, max: estimated.greatest.lower } };
  }
  return found;
}

function ofTruths(operator: FilterOperator, values: TruthValues, states: BitSet): FilterResult {
  const obtained = together(values);
  const certain = values.holds.intersection(states).count();
  const possible = mayHold(values).intersection(states).count();
  const decided = (least: number, greatest: number, wanted: number): boolean | undefined =>
    least >= wanted ? true : greatest < wanted ? false : undefined;
  switch (operator) {
    case 'count':
      return {
        kind: 'number',
        type: 'int',
        range: { lower: certain, upper: possible },
        obtained: certain === possible ? { ...obtained, accuracy: 'exact' } : obtained,
        ...(certain === possible && { exact: Rational.fromInteger(certain) }),
      };
    case 'forall':
      return { kind: 'truth', value: decided(certain, possible, states.count()), obtained };
    case 'exists':
      return { kind: 'truth', value: decided(certain, possible, 1), obtained };
    default: {
      const [s] = states;
      return { kind: 'truth', value: values.open.has(s) ? undefined : values.holds.has(s), obtained };
    }
  }
}

function ofNumbers(operator: FilterOperator, values: NumberValues, states: BitSet): FilterResult {
  const obtained = together(values);
  const { type } = values;
  const fold = (by: '+' | 'min' | 'max'): { range: Range; exact: Rational | undefined } => {
    let range: Range | undefined;
    let exact: Rational | undefined;
    for (const s of states) {
      const own = values.exactAt?.(s);
      exact = range === undefined ? own : exact && own && combineExactly(by, exact, own);
      range = range === undefined ? rangeAt(values, s) : combine(by, range, rangeAt(values, s));
    }
    return { range: range as Range, exact };
  };
  switch (operator) {
    case 'min':
    case 'max':
      return { kind: 'number', type, ...fold(operator), obtained };
    case 'sum':
      return { kind: 'number', type, ...fold('+'), obtained };
    case 'avg': {
      const { range, exact } = fold('+');
      const count = states.count();
      return {
        kind: 'number',
        type: 'double',
        range: combine('/', range, { lower: count, upper: count }),
        exact: exact?.dividedBy(Rational.fromInteger(count)),
        obtained,
      };
    }
    case 'range':
      return rangeOf(fold('min'), fold('max'), type, obtained);
    case 'argmin':
    case 'argmax': {
      const best = fold(operator === 'argmin' ? 'min' : 'max');
      return { kind: 'states', states, values: attaining(values, states, best, operator), obtained };
    }
    default: {
      const [s] = states;
      return { kind: 'number', type, range: rangeAt(values, s), exact: values.exactAt?.(s), obtained };
    }
  }
}

function rangeOf(
  least: { readonly range: Range; readonly exact: Rational | undefined },
  greatest: { readonly range: Range; readonly exact: Rational | undefined },
  type: NumberValues['type'],
  obtained: Obtained,
): FilterResult {
  const exact = least.exact && greatest.exact && { min: least.exact, max: greatest.exact };
  return { kind: 'range', type, least: least.range, greatest: greatest.range, exact, obtained };
}

/** The states that attain the extreme value; open if the bounds of several overlap. */
function attaining(
  values: NumberValues,
  states: BitSet,
  { range, exact }: { range: Range; exact: Rational | undefined },
  operator: 'argmin' | 'argmax',
): TruthValues {
  const may = BitSet.where(states.size, (s) => {
    if (!states.has(s)) return false;
    const own = values.exactAt?.(s);
    if (own && exact) return own.compare(exact) === 0;
    return operator === 'argmin' ? values.lower[s] <= range.upper : values.upper[s] >= range.lower;
  });
  const points = [...may].every((s) => values.lower[s] === values.upper[s]);
  const certain = exact !== undefined || points || may.count() === 1;
  const empty = new BitSet(states.size);
  return truth(certain ? may : empty, together(values), certain ? empty : may);
}

/**
 * The result of a filter as a value of every state, for filters inside other expressions.
 *
 * @throws ParseError for a range, which is not a single value
 */
export function broadcast(
  result: FilterResult,
  states: number,
  node: FilterNode,
  { scope }: PropertyContext,
): StateValues {
  switch (result.kind) {
    case 'number':
      return everywhere(states, result.range, result.type, result.obtained, result.exact);
    case 'truth': {
      const none = new BitSet(states);
      const all = BitSet.full(states);
      if (result.value !== undefined) return truth(result.value ? all : none, result.obtained);
      return truth(none, result.obtained, all);
    }
    case 'states':
      return result.values;
    case 'range':
      throw expressionError(scope, node, 'a range is not a number', 'min or max');
  }
}

/** The reason for an open value, with a default if none was recorded. */
export function doubtOf({ doubt }: Obtained): Doubt {
  const { NEGATIVE_INFINITY: lower, POSITIVE_INFINITY: upper } = Number;
  return doubt ?? { lower, upper, why: 'ask for more precision', final: false };
}
