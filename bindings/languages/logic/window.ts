import { InvalidArgumentError } from '../../base/errors.js';
import { type Fraction, fractionOf, quotient } from './decimal.js';
import type { Window } from './formula.js';
import { exactPeriod } from './samplingPeriod.js';

/** A window in steps: positions i + from .. i + to; `to` null means unbounded. */
export interface StepWindow {
  readonly from: number;
  readonly to: number | null;
}

function exactDecimal(text: string): Fraction {
  const exact = text.includes('/') ? null : fractionOf(text);
  if (exact === null) throw new InvalidArgumentError(`"${text}" is not a decimal number such as 0.1 or 10`);
  return exact;
}

/** Whether decimal `a` is above decimal `b`, in exact arithmetic. */
export function decimalAbove(a: string, b: string): boolean {
  const [x, y] = [exactDecimal(a), exactDecimal(b)];
  return x.numerator * y.denominator > y.numerator * x.denominator;
}

/** Prints the window as it is written after an operator: `<=3`, `>=2s`, `[1,4]`, `[0s,10s]`; empty if there is none. */
export function printWindow(window: Window | null): string {
  if (window === null) return '';
  const unit = window.unit === 'steps' ? '' : window.unit;
  if (window.interval) return printInterval(window);
  if (window.to === null) return `>=${window.from}${unit}`;
  if (window.from === '0') return `<=${window.to}${unit}`;
  return printInterval(window);
}

/** Prints the window in brackets, as it is written after `count`; empty if there is none. */
export function printInterval(window: Window | null): string {
  if (window === null) return '';
  const unit = window.unit === 'steps' ? '' : window.unit;
  return `[${window.from}${unit},${window.to === null ? 'inf' : window.to + unit}]`;
}

/**
 * Converts a window to steps. With sampling period T, `[a,b]` in seconds are the steps ceil(a/T)..floor(b/T), in exact fractions
 * (0.3/0.1 is not 3 in floating point).
 *
 * @param window Null means `[0, unbounded]`.
 * @param samplingPeriod Seconds between steps, as read by `exactPeriod`. Required if the window has a unit, otherwise unused.
 * @throws InvalidArgumentError if the window is in time and there is no sampling period, the period is not positive, no step falls into the window,
 * or a bound is above 2^31 - 2.
 */
export function windowInSteps(window: Window | null, samplingPeriod?: number | string): StepWindow {
  if (window === null) return { from: 0, to: null };
  const text = printWindow(window);
  let period: Fraction = { numerator: 1n, denominator: 1n };
  if (window.unit !== 'steps') {
    if (samplingPeriod === undefined) {
      throw new InvalidArgumentError(
        `the window ${text} is in ${window.unit}, but no sampling period is given: add one, e.g. samplingPeriod: 0.1s, or count in steps`,
      );
    }
    const { numerator, denominator } = exactPeriod(samplingPeriod);
    period = { numerator: window.unit === 'ms' ? numerator * 1000n : numerator, denominator };
  }
  const inSteps = (bound: string): Fraction => quotient(exactDecimal(bound), period);
  const first = inSteps(window.from);
  const from = toNumber((first.numerator + first.denominator - 1n) / first.denominator, text);
  if (window.to === null) return { from, to: null };
  const last = inSteps(window.to);
  const to = toNumber(last.numerator / last.denominator, text);
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
