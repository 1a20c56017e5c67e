import { Rational } from '../../base/rational.js';
import {
  compileNumber,
  evaluateExactly,
  noVariables,
  type PrismExpression,
  type Scope,
} from '../../languages/logic/index.js';
import type { ExploredVariable } from './variables.js';
import { variablesRead } from './variablesRead.js';

/** A probability as a function of the state. */
export interface CompiledProbability {
  /** Its value in all states, if it reads no variable. */
  readonly constant: number | undefined;
  /** The double nearest to its exact value, so that sums such as `1 - p - q` lose nothing to intermediate rounding. */
  readonly value: (values: ArrayLike<number>) => number;
  readonly exact: (values: ArrayLike<number>) => Rational | undefined;
  /** Numbers the combinations of values of the variables it reads: the sum of `(value - low) * stride`. */
  readonly reads: readonly {
    readonly variable: ExploredVariable;
    readonly index: number;
    readonly stride: number;
  }[];
  readonly combinations: number;
}

/** Up to this many combinations, values of an expression are cached in a table; above it, in a map. */
export const MAX_TABULATED = 2 ** 12;

/** Above this many combinations, values of an expression are computed in each state, in double arithmetic. */
const MAX_REMEMBERED = 2 ** 31;

export function compileProbability(
  expression: PrismExpression | null,
  scope: Scope,
  variables: readonly ExploredVariable[],
): CompiledProbability {
  const none = { reads: [], combinations: 1 };
  if (expression === null) return { constant: 1, value: () => 1, exact: () => Rational.ONE, ...none };
  const inexact = compileNumber(expression, scope);
  const exact = (values: ArrayLike<number>): Rational | undefined =>
    evaluateExactly(expression, scope, values) as Rational | undefined;
  const read = variablesRead(expression, scope);
  if (read.length === 0) {
    const value = evaluateExactly(expression, { ...scope, variables: noVariables }) as Rational | undefined;
    const constant = value?.toNumber() ?? inexact([]);
    return { constant, value: () => constant, exact: () => value, ...none };
  }
  let combinations = 1;
  const reads = read.map((index) => {
    const stride = combinations;
    const variable = variables[index];
    combinations *= variable.high - variable.low + 1;
    return { variable, index, stride };
  });
  const key = (values: ArrayLike<number>): number => {
    let sum = 0;
    for (const { variable, index, stride } of reads) sum += (values[index] - variable.low) * stride;
    return sum;
  };
  const nearest = (values: ArrayLike<number>): number => exact(values)?.toNumber() ?? inexact(values);
  const value =
    combinations > MAX_REMEMBERED
      ? inexact
      : combinations > MAX_TABULATED
        ? remember(key, nearest)
        : tabulate(key, combinations, nearest);
  return { constant: undefined, value, exact, reads, combinations };
}

type OfState = (values: ArrayLike<number>) => number;

function remember(key: OfState, compute: OfState): OfState {
  const remembered = new Map<number, number>();
  return (values) => {
    const at = key(values);
    let found = remembered.get(at);
    if (found === undefined) {
      found = compute(values);
      remembered.set(at, found);
    }
    return found;
  };
}

function tabulate(key: OfState, entries: number, compute: OfState): OfState {
  let table: Float64Array | undefined;
  return (values) => {
    table ??= new Float64Array(entries).fill(Number.NaN);
    const at = key(values);
    // NaN is computed again each time; it ends the exploration anyway.
    if (Number.isNaN(table[at])) table[at] = compute(values);
    return table[at];
  };
}
