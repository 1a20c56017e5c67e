import type { Bounds } from '../../base/bounds.js';
import * as outward from '../../base/outward.js';

const DIGITS = 4;

/** An upper bound, as it is printed. */
export function upward(probability: number): string {
  return outward.upward(probability, DIGITS);
}

/** A lower bound, as it is printed. */
export function downward(probability: number): string {
  return outward.downward(probability, DIGITS);
}

/** The upper bound within so many steps, where that was asked for. */
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

/** 1 - delta in all its digits: confidence that is rounded up to 1 would be a promise that nobody made. */
export function confidence(delta: number): string {
  return delta < 1e-3 ? `1 - ${delta}` : String(Number((1 - delta).toPrecision(12)));
}

/** Draws there are for each that is asked for. */
export function supply({ draws, needed }: { readonly draws: number; readonly needed: number }): number {
  return needed === 0 ? Number.POSITIVE_INFINITY : draws / needed;
}
