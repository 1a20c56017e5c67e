import {
  type ConditionOf,
  compileCondition,
  isPartial,
  type PrismExpression,
  type Scope,
} from '../../languages/logic/index.js';
import type { ExploredVariable } from './variables.js';
import { variablesRead } from './variablesRead.js';

/** A test of one word of a packed state, from equations between variables and constants: `(state[word] & mask) === value`. */
export interface WordTest {
  readonly word: number;
  readonly mask: number;
  readonly value: number;
}

/** A conjunction: its equations, one test per word, and its other conjuncts. */
export interface Guard {
  /** Whether it is false in every state. */
  readonly never: boolean;
  readonly tests: readonly WordTest[];
  readonly rest: readonly { readonly expression: PrismExpression; readonly holds: ConditionOf }[];
}

/** Whether it holds in the state packed at `at`, whose values are `values`. */
export function guardHolds(
  { tests, rest }: Guard,
  packed: Uint32Array,
  at: number,
  values: ArrayLike<number>,
): boolean {
  for (const { word, mask, value } of tests) if ((packed[at + word] & mask) !== value) return false;
  for (const { holds } of rest) if (!holds(values)) return false;
  return true;
}

/** The largest range that is searched for the values that a conjunct allows. */
const SMALL_RANGE = 64;

/**
 * Divides a condition for fast tests on packed states: most conjuncts of most guards have a form like `pc=3` or `!busy`.
 *
 * @throws ParseError as `compileCondition`
 */
export function divideGuard(
  condition: PrismExpression,
  scope: Scope,
  variables: readonly ExploredVariable[],
): Guard {
  compileCondition(condition, scope);
  const masks = new Map<number, { mask: number; value: number }>();
  const rest: { expression: PrismExpression; holds: ConditionOf }[] = [];
  let never = false;
  // Earlier conjuncts protect later ones that may have no value, and must keep their order.
  let inOrder = false;
  for (const expression of conjunctsOf(condition, scope)) {
    const holds = compileCondition(expression, scope);
    inOrder ||= isPartial(expression, scope);
    const allowed = inOrder ? 'several' : allowedValues(holds, variablesRead(expression, scope), variables);
    if (allowed === 'all') continue;
    if (allowed === 'none') never = true;
    else if (allowed === 'several') rest.push({ expression, holds });
    else {
      const { word, shift, mask, low } = allowed.variable;
      const bits = (allowed.value - low) << shift;
      const test = masks.get(word) ?? { mask: 0, value: 0 };
      if ((test.mask & mask) !== 0 && (test.value & mask) !== bits) never = true;
      masks.set(word, { mask: test.mask | mask, value: test.value | bits });
    }
  }
  return { never, tests: [...masks].map(([word, test]) => ({ word, ...test })), rest };
}

function* conjunctsOf(expression: PrismExpression, scope: Scope): Generator<PrismExpression> {
  if (expression.kind === 'binary' && expression.operator === '&') {
    yield* conjunctsOf(expression.left, scope);
    yield* conjunctsOf(expression.right, scope);
    return;
  }
  const isFormula =
    expression.kind === 'name' &&
    !scope.variables.has(expression.name) &&
    !scope.constants.has(expression.name);
  const formula = isFormula ? scope.formulas.get(expression.name) : undefined;
  if (formula) yield* conjunctsOf(formula, scope);
  else yield expression;
}

function allowedValues(
  holds: ConditionOf,
  read: readonly number[],
  variables: readonly ExploredVariable[],
): 'all' | 'none' | 'several' | { readonly variable: ExploredVariable; readonly value: number } {
  if (read.length === 0) return holds([]) ? 'all' : 'none';
  const [index] = read;
  const variable = variables[index];
  if (read.length > 1 || variable.high - variable.low >= SMALL_RANGE) return 'several';
  const values = new Float64Array(variables.length);
  const allowed: number[] = [];
  for (let value = variable.low; value <= variable.high; value++) {
    values[index] = value;
    if (holds(values)) allowed.push(value);
  }
  if (allowed.length === 0) return 'none';
  if (allowed.length === 1) return { variable, value: allowed[0] };
  return allowed.length > variable.high - variable.low ? 'all' : 'several';
}
