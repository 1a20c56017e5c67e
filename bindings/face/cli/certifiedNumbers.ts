import type { Bounds } from '../../base/bounds.js';
import * as outward from '../../base/outward.js';

const DIGITS = 4;

/** An upper bound, rounded up for printing. */
export function upward(probability: number): string {
  return outward.upward(probability, DIGITS);
}

/** A lower bound, rounded down for printing. */
export function downward(probability: number): string {
  return outward.downward(probability, DIGITS);
}

/** The upper bound within a number of steps, if that was requested. */
export function upperWithin(
  { horizons }: { readonly horizons?: Readonly<Record<string, { readonly upper: number }>> },
  steps: number,
): string {
  const found = horizons?.[steps];
  return found === undefined ? '' : upward(found.upper);
}

/** Both bounds of a risk. */
export function between({ lower, upper }: Bounds<number>): string {
  return `${downward(lower)} to ${upward(upper)}`;
}

export function number(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** 1 - delta in all its digits: a confidence rounded up to 1 would be a false promise. */
export function confidence(delta: number): string {
  return delta < 1e-3 ? `1 - ${delta}` : String(Number((1 - delta).toPrecision(12)));
}

/** The ratio of available to needed draws. */
export function supply({ draws, needed }: { readonly draws: number; readonly needed: number }): number {
  return needed === 0 ? Number.POSITIVE_INFINITY : draws / needed;
}
