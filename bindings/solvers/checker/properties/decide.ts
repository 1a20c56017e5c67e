import { NotConvergedError, NotSupportedError } from '../../../base/errors.js';
import type { Rational } from '../../../base/rational.js';
import type { ComparisonSymbol } from '../../../languages/logic/index.js';
import type { BitSet, SolveOptions } from '../../kernel/index.js';
import { TooMuchWorkError } from '../exact/index.js';
import { compareValues, fraction, promisesNothing } from './numberValues.js';
import { fromStates, type NumberValues, type TruthValues, truth } from './stateValues.js';

/** The number that values are compared with. */
export interface Threshold {
  readonly comparison: ComparisonSymbol;
  /** The threshold as written or as the nearest double, matching the model's numbers. */
  readonly value: Rational;
}

/** The source of the numbers that are compared. */
export interface NumberSource {
  /** Bounds of the requested `precision`. */
  readonly bounds: (options: SolveOptions) => NumberValues;
  /**
   * The exact fractions of some states; absent if there is no exact arithmetic.
   * @throws NotSupportedError if it would take too long
   */
  readonly exactly?: (states: BitSet) => NumberValues;
}

/** Bounds get no narrower than rounding allows. */
const FINEST_PRECISION = 1e-15;

/**
 * Decides whether numbers meet a threshold: by their bounds, with increasing precision while the threshold lies between them,
 * and finally in exact arithmetic. States left undecided are open in the result.
 *
 * @param relevant the states to decide; others may stay open
 */
export function decide(
  threshold: Threshold,
  source: NumberSource,
  relevant: BitSet,
  options: SolveOptions,
): TruthValues {
  const limit = fraction(relevant.size, threshold.value, 'double', fromStates);
  const against = (numbers: NumberValues): TruthValues => compareValues(threshold.comparison, numbers, limit);
  let numbers = source.bounds(options);
  let verdict = against(numbers);
  for (let precision = options.precision ?? 1e-6; isOpen(verdict, relevant); ) {
    if (numbers.accuracy !== 'bounded' || precision < FINEST_PRECISION) break;
    precision /= 1000;
    try {
      const narrower = source.bounds({ ...options, precision });
      const gained = isNarrower(narrower, numbers, verdict.open);
      [numbers, verdict] = [narrower, against(narrower)];
      if (!gained) break;
    } catch (error) {
      // Only the first precision was requested; if a later attempt fails, the earlier bounds stand.
      if (error instanceof NotConvergedError) break;
      throw error;
    }
  }
  if (!isOpen(verdict, relevant)) return verdict;
  const state = first(verdict.open.intersection(relevant));
  const bounds = { lower: numbers.lower[state], upper: numbers.upper[state] };
  const left = (why: string): TruthValues => ({
    ...verdict,
    doubt: numbers.doubt ?? { ...bounds, why, final: true },
  });
  if (numbers.accuracy === 'estimated') return left(promisesNothing(numbers));
  if (source.exactly === undefined) return left(ELSEWHERE);
  try {
    const settled = against(source.exactly(verdict.open.intersection(relevant)));
    const holds = verdict.holds.union(settled.holds.intersection(verdict.open));
    const rest = settled.open.intersection(verdict.open);
    const result = truth(holds, { ...settled, iterations: verdict.iterations, doubt: undefined }, rest);
    if (!isOpen(result, relevant)) return result;
    const why = 'states without data decide it';
    return { ...result, doubt: numbers.doubt ?? { ...bounds, why, final: true } };
  } catch (error) {
    if (!(error instanceof NotSupportedError)) throw error;
    return left(remedy(error));
  }
}

const ELSEWHERE = 'move the threshold, or ask for the number itself';

/** Advice for a question that exact arithmetic did not settle. */
export function remedy(error: NotSupportedError): string {
  return error instanceof TooMuchWorkError
    ? `exact arithmetic would take too long to be tried unasked: ask for it with exact: true (--exact), ${ELSEWHERE}`
    : `${error.message}; or ${ELSEWHERE}`;
}

function isOpen(verdict: TruthValues, relevant: BitSet): boolean {
  return verdict.open.intersection(relevant).count() > 0;
}

function isNarrower(after: NumberValues, before: NumberValues, states: BitSet): boolean {
  for (const s of states) {
    if (after.upper[s] - after.lower[s] < before.upper[s] - before.lower[s]) return true;
  }
  return false;
}

function first(states: BitSet): number {
  for (const s of states) return s;
  return 0;
}
