import { InvalidArgumentError } from '../errors.js';
import type { Window } from './formula.js';

/** A window in steps: positions i + from .. i + to; `to` null is unbounded. */
export interface StepWindow {
  readonly from: number;
  readonly to: number | null;
}

const decimalPattern = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** A decimal as integer times 10^-places, without rounding. */
function exactDecimal(text: string): { integer: bigint; places: number } {
  const match = decimalPattern.exec(text);
  if (!match) throw new InvalidArgumentError(`"${text}" is not a decimal number such as 0.1 or 10`);
  const [, whole, fraction = '', exponent = '0'] = match;
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places >= 0 ? { integer: digits, places } : { integer: digits * 10n ** BigInt(-places), places: 0 };
}

/** Numerator and denominator of `a / b`, both decimals. */
function quotient(a: string, b: string): [bigint, bigint] {
  const x = exactDecimal(a);
  const y = exactDecimal(b);
  return [x.integer * 10n ** BigInt(y.places), y.integer * 10n ** BigInt(x.places)];
}

/** Whether decimal `a` is above decimal `b`, exactly. */
export function decimalAbove(a: string, b: string): boolean {
  const [numerator, denominator] = quotient(a, b);
  return numerator > denominator;
}

/** The window as it is written after an operator: `<=3`, `>=2`, `[1,4]`, `[0s,10s]`; empty where there is none. */
export function printWindow(window: Window | null): string {
  if (window === null) return '';
  const unit = window.unit === 'steps' ? '' : window.unit;
  if (window.to === null) return `>=${window.from}${unit}`;
  if (window.from === '0') return `<=${window.to}${unit}`;
  return `[${window.from}${unit},${window.to}${unit}]`;
}

/**
 * A window in steps. With sampling period T, `[a,b]` in seconds are the steps ceil(a/T)..floor(b/T), in exact decimals
 * (0.3/0.1 is not 3 in floating point).
 *
 * @param window No window (null) is `[0, unbounded]`.
 * @param samplingPeriod Seconds between steps; a number stands for its shortest decimal text. Needed where the window has a
 * unit, unused where it has none.
 * @throws InvalidArgumentError where seconds meet no sampling period, the period is not positive, no step falls into the window,
 * or a bound is above 2^31 - 2.
 */
export function windowInSteps(window: Window | null, samplingPeriod?: number | string): StepWindow {
  if (window === null) return { from: 0, to: null };
  const text = printWindow(window);
  let period = '1';
  if (window.unit !== 'steps') {
    if (samplingPeriod === undefined) {
      throw new InvalidArgumentError(
        `the window ${text} is in ${window.unit}, but no sampling period is given: add one, e.g. samplingPeriod: 0.1s, or count in steps`,
      );
    }
    period = String(samplingPeriod);
    if (!decimalPattern.test(period) || exactDecimal(period).integer === 0n) {
      throw new InvalidArgumentError(
        `the sampling period is ${period}; expected a positive number of seconds`,
      );
    }
    // In milliseconds, a period of T seconds is T * 1000.
    if (window.unit === 'ms') {
      const { integer, places } = exactDecimal(period);
      period = `${integer * 1000n}e-${places}`;
    }
  }
  const [fromTop, fromBottom] = quotient(window.from, period);
  const from = toNumber((fromTop + fromBottom - 1n) / fromBottom, text);
  if (window.to === null) return { from, to: null };
  const [toTop, toBottom] = quotient(window.to, period);
  const to = toNumber(toTop / toBottom, text);
  if (from > to) {
    throw new InvalidArgumentError(
      `the window ${text} is empty: no step falls into it${window.unit === 'steps' ? '' : ` at a sampling period of ${samplingPeriod} s`}`,
    );
  }
  return { from, to };
}

function toNumber(steps: bigint, text: string): number {
  if (steps > 0x7ffffffen) {
    throw new InvalidArgumentError(
      `the window ${text} reaches ${steps} steps; at most 2147483646 can be counted`,
    );
  }
  return Number(steps);
}
