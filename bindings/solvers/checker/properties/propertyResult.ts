import { UndecidedError } from '../../../base/errors.js';
import type { Rational } from '../../../base/rational.js';
import type { PrismType } from '../../../languages/logic/index.js';
import type { Accuracy, BitSet } from '../../kernel/index.js';
import { doubtOf, type FilterResult } from './filters.js';
import { inside } from './numberValues.js';
import type { NumberValues, Obtained } from './stateValues.js';

interface Certified {
  /** `exact`: decided on the graph or in exact arithmetic; `bounded`: within the bounds; `estimated`: no guarantee. */
  readonly accuracy: Accuracy;
  readonly method: string;
  /** Sweeps over all solves together. */
  readonly iterations: number;
}

/** A number, possibly `Infinity`. */
export interface NumberResult extends Certified {
  readonly kind: 'number';
  readonly type: 'int' | 'double';
  /** The double nearest to `exact`, else a point within the bounds, or the estimate of value iteration. */
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  /** The exact value, if exact arithmetic computed it. */
  readonly exact?: Rational;
}

/** Numbers of several states: of `filter(range, …)`, or of several initial states. */
export interface RangeResult extends Certified {
  readonly kind: 'range';
  readonly type: 'int' | 'double';
  /** Points within the bounds of the smallest and of the largest. */
  readonly value: { readonly min: number; readonly max: number };
  /** A lower bound of the smallest, and an upper bound of the largest. */
  readonly lower: number;
  readonly upper: number;
  /** The two exact values, if exact arithmetic computed them. */
  readonly exact?: { readonly min: Rational; readonly max: Rational };
}

/** A yes/no question. */
export interface TruthResult extends Certified {
  readonly kind: 'truth';
  readonly value: boolean;
}

/** Results per state: `filter(print, …)`, `printall`, `argmin` and `argmax`. */
export interface StatesResult extends Certified {
  readonly kind: 'states';
  readonly type: PrismType;
  /** The states that the filter is about. */
  readonly states: BitSet;
  /** For Booleans, the number of these states that are or may be true; for numbers, the number that are not 0. */
  readonly value: number;
  /** For a Boolean: the states in which it is true, and those in which it is undecided. */
  readonly holds?: BitSet;
  readonly open?: BitSet;
  /** For a number: bounds, one entry per state of the model. */
  readonly lower?: Float64Array;
  readonly upper?: Float64Array;
  /** The exact value, if exact arithmetic computed it. */
  readonly exactAt?: (state: number) => Rational | undefined;
}

/** The answer to a property: for the initial states, or for all states that a filter chose. */
export type PropertyResult = NumberResult | RangeResult | TruthResult | StatesResult;

/**
 * Turns the value of a property into its answer.
 *
 * @throws UndecidedError for a truth value that is open
 */
export function resultOf(found: FilterResult, text: string): PropertyResult {
  const certified = certifiedOf(found.obtained);
  switch (found.kind) {
    case 'number': {
      const { type, range, exact } = found;
      const value = found.estimate ?? exact?.toNumber() ?? inside(range);
      return { kind: 'number', type, value, ...range, ...certified, ...(exact && { exact }) };
    }
    case 'range': {
      const { least, greatest, type, exact } = found;
      const points = exact && { min: exact.min.toNumber(), max: exact.max.toNumber() };
      const value = found.estimate ?? points ?? { min: inside(least), max: inside(greatest) };
      const bounds = { lower: least.lower, upper: greatest.upper };
      return { kind: 'range', type, value, ...bounds, ...certified, ...(exact && { exact }) };
    }
    case 'truth': {
      if (found.value !== undefined) return { kind: 'truth', value: found.value, ...certified };
      const { lower, upper, why } = doubtOf(found.obtained);
      const what = `${text} is undecided: the number that is compared lies in [${lower}, ${upper}]`;
      throw new UndecidedError(`${what}; ${why}`, { lower, upper });
    }
    case 'states': {
      const { states, values } = found;
      if (values.type === 'bool') {
        const holds = values.holds.intersection(states);
        const open = values.open.intersection(states);
        const value = holds.union(open).count();
        return { kind: 'states', type: 'bool', states, value, holds, open, ...certified };
      }
      const { type, lower, upper, exactAt } = values;
      const value = notZero(values, states);
      return { kind: 'states', type, states, value, lower, upper, ...certified, ...(exactAt && { exactAt }) };
    }
  }
}

function certifiedOf({ accuracy, method, iterations }: Obtained): Certified {
  return { accuracy, method, iterations };
}

function notZero({ lower, upper }: NumberValues, states: BitSet): number {
  let count = 0;
  for (const s of states) if (lower[s] !== 0 || upper[s] !== 0) count++;
  return count;
}
