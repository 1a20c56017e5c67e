import { InvalidModelError } from '../../base/errors.js';
import {
  evaluateConstant,
  excerptAt,
  expressionError,
  type PrismExpression,
  type Scope,
} from '../../languages/logic/index.js';
import type { PrismModel, VariableDeclaration } from '../formats/index.js';

/** A variable of the model, with its range and its place in a packed state. */
export interface ExploredVariable {
  readonly name: string;
  readonly type: 'int' | 'bool';
  readonly low: number;
  readonly high: number;
  readonly initial: number;
  /** Name of its module; null for a global. */
  readonly module: string | null;
  /** The 32-bit word of a state and the bits in it that store `value - low`. */
  readonly word: number;
  readonly shift: number;
  /** Its bits in that word. */
  readonly mask: number;
}

/** The range of `x : int` without bounds: signed 32-bit integers. */
const UNBOUNDED = { low: -(2 ** 31), high: 2 ** 31 - 1 };

/**
 * Ranges, initial values and places of all variables: globals first, then by module; none crosses a word boundary.
 *
 * @throws InvalidModelError on an empty range, or an initial value outside it
 */
export function layOutVariables(model: PrismModel, scope: Scope): ExploredVariable[] {
  const declared = [
    ...model.globals.map((variable) => ({ variable, module: null })),
    ...model.modules.flatMap(({ name, variables }) =>
      variables.map((variable) => ({ variable, module: name })),
    ),
  ];
  let word = 0;
  let used = 0;
  return declared.map(({ variable, module }) => {
    const range = rangeOf(variable, scope);
    const width = Math.ceil(Math.log2(range.high - range.low + 1));
    if (used + width > 32) {
      word++;
      used = 0;
    }
    const shift = used;
    used += width;
    const mask = width === 32 ? -1 : ((1 << width) - 1) << shift;
    return { name: variable.name, type: variable.type, ...range, module, word, shift, mask };
  });
}

function rangeOf(
  variable: VariableDeclaration,
  scope: Scope,
): Pick<ExploredVariable, 'low' | 'high' | 'initial'> {
  const integer = (expression: PrismExpression): number =>
    evaluateConstant(expression, scope, 'int').value as number;
  if (variable.type === 'bool') {
    const initial = variable.initial && evaluateConstant(variable.initial, scope, 'bool').value;
    return { low: 0, high: 1, initial: initial ? 1 : 0 };
  }
  const low = variable.low ? integer(variable.low) : UNBOUNDED.low;
  const high = variable.high ? integer(variable.high) : UNBOUNDED.high;
  if (low > high || high - low > 2 ** 32 - 1) {
    throw expressionError(
      scope,
      variable,
      `the range [${low}..${high}] of ${variable.name} is ${low > high ? 'empty' : 'wider than 32 bits'}`,
    );
  }
  const initial = variable.initial ? integer(variable.initial) : variable.low ? low : 0;
  if (initial < low || initial > high) {
    const { line, column } = (variable.initial ?? variable).place;
    throw new InvalidModelError(
      `${scope.text.name}:${line}:${column}: ${variable.name} begins as ${initial}, outside its range [${low}..${high}]${excerptAt((variable.initial ?? variable).place, scope.text.source)}`,
    );
  }
  return { low, high, initial };
}

/** Words of a packed state, at least 1. */
export function wordsOf(variables: readonly ExploredVariable[]): number {
  return (variables.at(-1)?.word ?? 0) + 1;
}
