import type { Rational } from '../../../base/rational.js';
import { type Accuracy, BitSet } from '../../kernel/index.js';

/** Why a truth value is open: the number that was compared lies in `lower`..`upper`. */
export interface Doubt {
  readonly lower: number;
  readonly upper: number;
  readonly why: string;
  /** Whether more precision would not settle it. */
  readonly final: boolean;
}

/** How values were obtained; for several together, the weakest accuracy. */
export interface Obtained {
  readonly accuracy: Accuracy;
  readonly method: string;
  readonly iterations: number;
  /** The first open operand below, if any. */
  readonly doubt?: Doubt | undefined;
}

/** Three-valued truth of a formula in every state: true in `holds`, undecided in `open`, else false. */
export interface TruthValues extends Obtained {
  readonly type: 'bool';
  readonly holds: BitSet;
  readonly open: BitSet;
}

/** Bounds on a number in every state: `lower[s] <= value <= upper[s]`, infinite ones allowed. */
export interface NumberValues extends Obtained {
  readonly type: 'int' | 'double';
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** The estimates, without bounds, if `accuracy` is `estimated`. */
  readonly estimate?: Float64Array | undefined;
  /** The exact value, if it is known as a fraction. */
  readonly exactAt?: ((state: number) => Rational | undefined) | undefined;
}

export type StateValues = TruthValues | NumberValues;

const ranks: readonly Accuracy[] = ['exact', 'bounded', 'estimated'];

/** Combines how several values were obtained into how their result was. */
export function together(...parts: readonly Obtained[]): Obtained {
  const accuracy = ranks[Math.max(0, ...parts.map((part) => ranks.indexOf(part.accuracy)))];
  const methods = new Set(parts.flatMap(({ method }) => (method === 'states' ? [] : method.split(' + '))));
  return {
    accuracy,
    method: methods.size === 0 ? 'states' : [...methods].join(' + '),
    iterations: parts.reduce((sum, { iterations }) => sum + iterations, 0),
    doubt: parts.find(({ doubt }) => doubt !== undefined)?.doubt,
  };
}

/** For values read from the states themselves. */
export const fromStates: Obtained = { accuracy: 'exact', method: 'states', iterations: 0 };

/** For values decided by the graph. */
export const fromGraph: Obtained = { accuracy: 'exact', method: 'graph', iterations: 0 };

export function truth(holds: BitSet, obtained: Obtained = fromStates, open?: BitSet): TruthValues {
  const { accuracy, method, iterations, doubt } = obtained;
  return { type: 'bool', holds, open: open ?? new BitSet(holds.size), accuracy, method, iterations, doubt };
}

/** States in which a formula may hold. */
export function mayHold({ holds, open }: TruthValues): BitSet {
  return holds.union(open);
}

/** Whether nothing is open. */
export function isDecided({ open }: TruthValues): boolean {
  return open.words.every((word) => word === 0);
}

export function not(operand: TruthValues): TruthValues {
  return { ...operand, holds: mayHold(operand).complement() };
}

export function and(left: TruthValues, right: TruthValues): TruthValues {
  const holds = left.holds.intersection(right.holds);
  const open = mayHold(left).intersection(mayHold(right)).difference(holds);
  return truth(holds, together(left, right), open);
}

export function or(left: TruthValues, right: TruthValues): TruthValues {
  return not(and(not(left), not(right)));
}

/** Whether both have the same truth value. */
export function iff(left: TruthValues, right: TruthValues): TruthValues {
  return or(and(left, right), and(not(left), not(right)));
}
