import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { describeValue } from '../../base/suggest.js';
import { withContext } from '../../base/words.js';
import { type EvaluationContext, freePaths } from '../../languages/expression/index.js';
import type { Step } from '../../observations/trace/index.js';
import type { Atom, Quantities } from './quantities.js';
import { isFraction, valueAt } from './wholeNumbers.js';

/** Fields of a state, by name. */
export type SignalState = Readonly<Record<string, unknown>>;

/**
 * The input of robustness: the steps of a trace, evenly spaced, or a column of values for each field of the state, all of the same length.
 */
export type Signals = readonly Step[] | Readonly<Record<string, ArrayLike<unknown>>>;

/** Reads the margins of a state into `margins`, one per atom; NaN if a signal is NaN. */
export function readMargins(
  { atoms, ranges, codes }: Quantities,
  state: SignalState,
  context: EvaluationContext,
  position: number,
  margins: Float64Array,
): void {
  for (const [name, [lower, upper]] of ranges) {
    const value = state[name];
    if (typeof value === 'number' && (value < lower || value > upper)) {
      throw new InvalidDataError(
        `step ${position}: "${name}" is ${value}, outside of its range [${lower}, ${upper}]; bounds that rely on the range would be wrong`,
      );
    }
  }
  for (const path of codes) {
    const value = valueAt(state, path);
    if (isFraction(value)) {
      throw new InvalidDataError(
        `step ${position}: "${path.join('.')}" is ${value}, no whole number, and == reads it as a code, true or false; give equality: 'distance', or name the fields that are whole (wholeNumbers)`,
      );
    }
  }
  try {
    for (let i = 0; i < atoms.length; i++) margins[i] = atoms[i].margin(state, context);
  } catch (error) {
    throw withContext(error, `step ${position}`);
  }
}

/** As `readMargins`, with all signals known. @throws InvalidDataError if a signal is NaN */
export function readKnownMargins(
  quantities: Quantities,
  state: SignalState,
  context: EvaluationContext,
  position: number,
  margins: Float64Array,
): void {
  readMargins(quantities, state, context, position, margins);
  const unknown = margins.findIndex(Number.isNaN);
  if (unknown >= 0) throw notANumber(quantities.atoms[unknown], state, position);
}

/**
 * Calls `visit` with the margins of every sample in turn; the array is reused.
 *
 * @param numbers The number of each step in messages; null: its position.
 * @throws InvalidArgumentError if there is no sample, or columns differ in length; InvalidDataError if a signal is NaN.
 */
export function forEachSample(
  quantities: Quantities,
  signals: Signals,
  visit: (margins: Float64Array) => void,
  numbers: readonly number[] | null = null,
): void {
  const margins = new Float64Array(quantities.atoms.length);
  const read = (state: SignalState, context: EvaluationContext, position: number): void => {
    readKnownMargins(quantities, state, context, position, margins);
    visit(margins);
  };
  if (isSteps(signals)) {
    if (signals.length === 0) throw noSamples();
    signals.forEach((step, position) => {
      read(step.state, step, numbers?.[position] ?? position);
    });
    return;
  }
  const columns = Object.entries(signals);
  const length = sampleCount(signals);
  if (length === 0) throw noSamples();
  for (const [name, { length: found }] of columns) {
    if (found !== length) {
      throw new InvalidArgumentError(
        `the signal "${name}" has ${found} samples, "${columns[0][0]}" has ${length}; expected as many of each`,
      );
    }
  }
  const state: Record<string, unknown> = {};
  for (let position = 0; position < length; position++) {
    for (const [name, values] of columns) state[name] = values[position];
    // A column may be called time.
    read(state, state, position);
  }
}

/** The number of samples, by the first column. */
export function sampleCount(signals: Signals): number {
  return isSteps(signals) ? signals.length : (Object.values(signals)[0]?.length ?? 0);
}

/** @throws InvalidArgumentError if `signals` are neither steps nor columns, naming what was found */
export function requireSignals(signals: Signals): void {
  if (isSteps(signals)) {
    const wrong = signals.findIndex((step: Partial<Step> | null | undefined) => !isObject(step?.state));
    if (wrong < 0) return;
    const found = describeValue(signals[wrong]);
    throw new InvalidArgumentError(
      `step ${wrong} is ${found}; expected steps, [{ state: { speed: 3 } }, …], ${OR_COLUMNS}`,
    );
  }
  if (!isObject(signals)) {
    throw new InvalidArgumentError(
      `signals are ${describeValue(signals)}; expected steps, [{ state: { speed: 3 } }, …], ${OR_COLUMNS}`,
    );
  }
  for (const [name, values] of Object.entries(signals)) {
    if (isObject(values) && 'length' in values) continue;
    throw new InvalidArgumentError(
      `the signal "${name}" is ${describeValue(values)}; expected a value for each step, { ${name}: [3, 4, …] }; of one trace, give its steps`,
    );
  }
}

const OR_COLUMNS = 'or a column of values for each field, { speed: [3, 4, …] }';

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isSteps(signals: Signals): signals is readonly Step[] {
  return Array.isArray(signals);
}

export function noSamples(): InvalidArgumentError {
  return new InvalidArgumentError('there are no samples; robustness needs at least one');
}

function notANumber({ text, expression }: Atom, state: SignalState, position: number): InvalidDataError {
  const names = freePaths(expression).map(({ path }) => path);
  const guilty = names.filter((name) => Number.isNaN(state[name]));
  const found = guilty.length === 0 ? `"${text}" comes to NaN` : `"${guilty[0]}" is NaN in "${text}"`;
  return new InvalidDataError(
    `step ${position}: ${found}; robustness needs numbers: fill the gap, or leave the sample to a RobustnessMonitor, which takes it as unknown`,
  );
}
